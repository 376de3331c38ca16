// The curve in which the surfaces of two bodies meet: the rim of their interference. It follows from poses and shapes,
// so that no record has to carry it, and is exact for everything but meshes (whose facets are all there is).

import {Quaternion, Vector3} from 'three';
import {alongLine, isConvex, makeSolid, quadraticRoots, valueAt} from './solids.ts';
import type {Primitive, Solid} from './solids.ts';
import type {Run, ShapeInfo} from './run.ts';
import {contourOnFacets, crossMeshes, makeFacets, slicePlane} from './facets.ts';
import type {Facets} from './facets.ts';

export type Segment = [Vector3, Vector3];

// Where and how large a patch is: axes lie in its plane and are as long as the half-axes of the ellipse that has the
// same second moments; the normal points from b into a.
export interface PatchFrame {
  center: Vector3;
  normal: Vector3;
  axes: [Vector3, Vector3];
}

interface PlacedPart {
  part: Primitive;
  origin: Vector3; // the patch's centre in the frame of the primitive
  turn: Quaternion; // from the world to that frame
}

// A solid of a body, seen from a point: everything is measured from there, so that micrometres keep their digits.
export class PlacedSolid {
  readonly parts: PlacedPart[];

  constructor(solid: Solid, position: Vector3, orientation: Quaternion, center: Vector3) {
    const inverse = orientation.clone().invert();
    const inBody = center.clone().sub(position).applyQuaternion(inverse);
    this.parts = solid.parts.map((part) => {
      const turn = part.turn.clone().invert();
      return {
        part,
        origin: inBody.clone().sub(part.position).applyQuaternion(turn),
        turn: turn.multiply(inverse),
      };
    });
  }

  // Whether center + x is inside, leaving out one surface (on which it lies).
  contains(x: Vector3, except: object | null = null): boolean {
    return this.parts.every((placed) => {
      const {part} = placed;
      const p = x.clone().applyQuaternion(placed.turn).add(placed.origin);
      if (except && part.surfaces.some((s) => s === except) && part.isComplement) {
        // On one face of what is cut away: beyond its other faces it would be no face of the hole.
        return part.surfaces.every((s) => s === except || valueAt(s, p) <= 0);
      }
      const isIn = part.capsule
        ? Math.hypot(p.x, p.y, p.z - Math.min(part.capsule.half, Math.max(-part.capsule.half, p.z))) <=
          part.capsule.radius
        : part.surfaces.every((s) => s === except || valueAt(s, p) <= 0);
      return isIn !== part.isComplement;
    });
  }

  // Negative inside, zero on the surface, of the order of a distance near it [m].
  value(x: Vector3): number {
    let most = -Infinity;
    for (const {part, origin, turn} of this.parts) {
      const p = x.clone().applyQuaternion(turn).add(origin);
      const own = part.capsule
        ? Math.hypot(p.x, p.y, p.z - Math.min(part.capsule.half, Math.max(-part.capsule.half, p.z))) - part.capsule.radius
        : Math.max(...part.surfaces.map((s) => valueAt(s, p)));
      most = Math.max(most, part.isComplement ? -own : own);
    }
    return most;
  }

  // How far along d (any length) one can go from the centre before leaving a convex solid, in units of d. The inner
  // loop of every rim: no garbage.
  exit(d: Vector3): number {
    let least = Infinity;
    for (const placed of this.parts) {
      const {origin, part} = placed;
      kLocal.copy(d).applyQuaternion(placed.turn);
      if (part.capsule) {
        least = Math.min(least, capsuleExit(placed, kLocal));
        continue;
      }
      for (const {square, linear, constant} of part.surfaces) {
        const {x, y, z} = kLocal;
        const a = square.x * x * x + square.y * y * y + square.z * z * z;
        const b =
          (2 * square.x * origin.x + linear.x) * x +
          (2 * square.y * origin.y + linear.y) * y +
          (2 * square.z * origin.z + linear.z) * z;
        const c =
          (square.x * origin.x + linear.x) * origin.x +
          (square.y * origin.y + linear.y) * origin.y +
          (square.z * origin.z + linear.z) * origin.z +
          constant;
        const t = firstRoot(a, b, c);
        if (t < least) least = t;
      }
    }
    return least;
  }
}

const kLocal = new Vector3();

// The first t >= 0 at which a value that is negative at 0 becomes positive.
function firstRoot(a: number, b: number, c: number): number {
  if (c >= 0) return 0;
  if (a === 0) return b > 0 ? -c / b : Infinity;
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return Infinity;
  const root = Math.sqrt(discriminant);
  // a > 0: one root on either side of 0; a < 0 (within a cone): both on one side.
  if (a > 0) return b > 0 ? (-2 * c) / (b + root) : (root - b) / (2 * a);
  return b > 0 ? (-2 * c) / (b + root) : Infinity;
}

function capsuleExit({part, origin}: PlacedPart, d: Vector3): number {
  const {radius, half} = part.capsule!;
  const side = quadraticRoots(...alongLine(part.surfaces[0], origin, d)).pop() ?? Infinity;
  const z = origin.z + side * d.z;
  if (Math.abs(z) <= half) return side;
  const middle = origin.clone();
  middle.z -= Math.sign(Number.isFinite(z) ? z : d.z) * half;
  return quadraticRoots(d.lengthSq(), 2 * middle.dot(d), middle.lengthSq() - radius * radius).pop() ?? 0;
}

// Radius of a disc of the same area, or of a circle of the same perimeter; 0 where the contact is a point.
function patchSize(run: Run, row: number): number {
  const area = run.columns.get('contact/area')?.at(row) ?? 0;
  const perimeter = run.columns.get('contact/perimeter')?.at(row) ?? 0;
  return area > 0 ? Math.sqrt(area / Math.PI) : Math.max(0, perimeter) / (2 * Math.PI);
}

// Ellipse with the second moments of the patch, from the volume's inertia where the record has it.
export function patchFrame(run: Run, row: number): PatchFrame {
  const read = (name: string, i: number) => run.columns.get(`contact/${name}`)!.at(row, i);
  const vector = (name: string) => new Vector3(read(name, 0), read(name, 1), read(name, 2));
  const center = vector('point'),
    normal = vector('normal').normalize();
  const side = Math.abs(normal.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const e1 = side.sub(normal.clone().multiplyScalar(side.dot(normal))).normalize();
  const e2 = normal.clone().cross(e1);
  const volume = run.columns.get('contact/volume')?.at(row) ?? 0;
  const round = patchSize(run, row);
  const frame: PatchFrame = {center, normal, axes: [e1.clone().multiplyScalar(round), e2.clone().multiplyScalar(round)]};
  if (!run.has('contact/inertia') || !(volume > 0)) return frame;
  const [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map((i) => read('inertia', i));
  // Of the tensor of inertia J the second moments are tr(J)/2 - J.
  const moment = (a: Vector3, b: Vector3) => {
    const j =
      xx * a.x * b.x +
      yy * a.y * b.y +
      zz * a.z * b.z +
      xy * (a.x * b.y + a.y * b.x) +
      xz * (a.x * b.z + a.z * b.x) +
      yz * (a.y * b.z + a.z * b.y);
    return (0.5 * (xx + yy + zz) * a.dot(b) - j) / volume;
  };
  const m11 = moment(e1, e1),
    m22 = moment(e2, e2),
    m12 = moment(e1, e2);
  const angle = 0.5 * Math.atan2(2 * m12, m11 - m22),
    spread = Math.hypot(0.5 * (m11 - m22), m12),
    middle = 0.5 * (m11 + m22);
  const half = [middle + spread, middle - spread].map((m) => 2 * Math.sqrt(Math.max(m, 1e-12 * middle, 0)));
  if (!(half[0] > 0) || !Number.isFinite(half[0])) return frame;
  const along = e1.clone().multiplyScalar(Math.cos(angle)).addScaledVector(e2, Math.sin(angle));
  const across = normal.clone().cross(along);
  frame.axes = [along.multiplyScalar(half[0]), across.multiplyScalar(half[1])];
  return frame;
}

export function ellipse(frame: PatchFrame): Segment[] {
  const at = (phi: number) =>
    frame.center
      .clone()
      .addScaledVector(frame.axes[0], Math.cos(phi))
      .addScaledVector(frame.axes[1], Math.sin(phi));
  return close(Array.from({length: 64}, (_, i) => at((i * Math.PI) / 32)));
}

function close(points: Vector3[]): Segment[] {
  return points.map((p, i): Segment => [p, points[(i + 1) % points.length]]);
}

const kFirst = 32; // directions to begin with
const kDeepest = 9; // halvings of the angle between two of them
const kFlat = 0.004; // a chord may miss the curve by this share of the patch

// A closed curve given by angle, with more points where it turns. Null where it has no point.
function traceByAngle(at: (phi: number) => Vector3 | null, size: number): Segment[] | null {
  const points: Vector3[] = [];
  const refine = (p0: number, a: Vector3, p1: number, b: Vector3, depth: number): boolean => {
    const phi = 0.5 * (p0 + p1);
    const middle = at(phi);
    if (!middle) return false;
    const off = middle.clone().sub(a);
    const chord = b.clone().sub(a);
    const length = chord.length();
    const miss = length > 0 ? off.cross(chord).length() / length : off.length();
    const isFlat = miss < kFlat * size;
    if (isFlat || depth >= kDeepest) {
      points.push(middle, b);
      return true;
    }
    return refine(p0, a, phi, middle, depth + 1) && refine(phi, middle, p1, b, depth + 1);
  };
  const step = (2 * Math.PI) / kFirst;
  let from = at(0);
  if (!from) return null;
  const first = from;
  for (let i = 0; i < kFirst; ++i) {
    const to = i + 1 === kFirst ? first : at((i + 1) * step);
    if (!to || !refine(i * step, from, (i + 1) * step, to, 0)) return null;
    from = to;
  }
  return close(points);
}

function direction(frame: PatchFrame, phi: number): Vector3 {
  return frame.axes[0].clone().multiplyScalar(Math.cos(phi)).addScaledVector(frame.axes[1], Math.sin(phi));
}

function sizeOf(frame: PatchFrame): number {
  return Math.max(frame.axes[0].length(), frame.axes[1].length());
}

// Two convex solids: from inside both, going up one leaves b first and going down a; in between lies the rim.
export function convexRim(a: PlacedSolid, b: PlacedSolid, frame: PatchFrame): Segment[] | null {
  const origin = new Vector3();
  if (!a.contains(origin) || !b.contains(origin)) return null;
  const size = sizeOf(frame);
  if (!(size > 0)) return null;
  const point = (phi: number): Vector3 | null => {
    const flat = direction(frame, phi);
    const at = (psi: number) => flat.clone().multiplyScalar(Math.cos(psi)).addScaledVector(frame.normal, size * Math.sin(psi));
    const leavesAFirst = (psi: number) => a.exit(at(psi)) < b.exit(at(psi));
    let low = -Math.PI / 2,
      high = Math.PI / 2;
    if (!leavesAFirst(low) || leavesAFirst(high)) return null;
    for (let i = 0; i < 34; ++i) {
      const middle = 0.5 * (low + high);
      if (leavesAFirst(middle)) low = middle;
      else high = middle;
    }
    const d = at(0.5 * (low + high));
    const far = Math.min(a.exit(d), b.exit(d));
    return Number.isFinite(far) ? d.multiplyScalar(far).add(frame.center) : null;
  };
  return traceByAngle(point, size);
}

// The part of one face of `wall` that lies inside `other`, looked at along the normal; null when the face has none.
function faceRim(
  wall: PlacedSolid,
  placed: PlacedPart,
  surface: object,
  other: PlacedSolid,
  frame: PatchFrame,
): Segment[] | null {
  const found = placed.part.surfaces.find((s) => s === surface)!;
  const size = sizeOf(frame);
  const along = frame.normal.clone().applyQuaternion(placed.turn);
  const onFace = (flat: Vector3): Vector3 | null => {
    const p = flat.clone().applyQuaternion(placed.turn).add(placed.origin);
    const roots = quadraticRoots(...alongLine(found, p, along));
    if (!roots.length) return null;
    const height = roots.reduce((best, t) => (Math.abs(t) < Math.abs(best) ? t : best));
    if (Math.abs(height) > 4 * size) return null;
    return flat.clone().addScaledVector(frame.normal, height);
  };
  const isIn = (flat: Vector3): boolean => {
    const x = onFace(flat);
    return x !== null && other.contains(x) && wall.contains(x, surface);
  };
  if (!isIn(new Vector3())) return null;
  const kMost = 4,
    kSteps = 40; // times the patch's half-axes; first look for the end in steps of a tenth
  const point = (phi: number): Vector3 | null => {
    const d = direction(frame, phi);
    let low = 0,
      high = 0;
    for (let i = 1; i <= kSteps && !high; ++i) {
      const t = (kMost * i) / kSteps;
      if (isIn(d.clone().multiplyScalar(t))) low = t;
      else high = t;
    }
    if (!high) return null;
    for (let i = 0; i < 40; ++i) {
      const middle = 0.5 * (low + high);
      if (isIn(d.clone().multiplyScalar(middle))) low = middle;
      else high = middle;
    }
    return onFace(d.multiplyScalar(low))?.add(frame.center) ?? null;
  };
  return traceByAngle(point, size);
}

function faceRims(wall: PlacedSolid, other: PlacedSolid, frame: PatchFrame): Segment[] | null {
  const all: Segment[] = [];
  for (const placed of wall.parts) {
    if (placed.part.capsule) continue;
    for (const surface of placed.part.surfaces) {
      const rim = faceRim(wall, placed, surface, other, frame);
      if (rim) all.push(...rim);
    }
  }
  return all.length ? all : null;
}

// A rim that is one loop has a middle from which all of it is seen.
export interface Rim {
  segments: Segment[];
  middle: Vector3 | null;
}

// Computed for one sample, a millisecond each; others are drawn as ellipses.
const kMostRims = 100;

interface BodyShape {
  solid: Solid | null;
  facets: Facets | null;
  shape: ShapeInfo;
}

// Curves of a run, sample by sample, with what can be prepared once.
export class RimMaker {
  private readonly shapes: BodyShape[][];
  private lastSample = -1;
  private readonly made = new Map<number, Rim>();

  constructor(private readonly run: Run) {
    this.shapes = run.info.bodies.map((body) =>
      body.shapes.map((shape) => ({shape, solid: makeSolid(shape), facets: makeFacets(shape)})),
    );
  }

  // Of one row of /contact: as recorded, or computed, or the ellipse of the same second moments.
  rim(sample: number, row: number): Rim {
    if (sample !== this.lastSample) this.made.clear();
    this.lastSample = sample;
    let found = this.made.get(row);
    if (!found) {
      const recorded = recordedCurve(this.run, row);
      found = recorded ? {segments: recorded, middle: null} : this.compute(sample, row);
      this.made.set(row, found);
    }
    return found;
  }

  private pose(body: number, sample: number): {position: Vector3; turn: Quaternion} {
    const at = (name: string, i: number) => this.run.bodySeries(name, body, i)[sample];
    return {
      position: new Vector3(at('position', 0), at('position', 1), at('position', 2)),
      turn: new Quaternion(
        at('orientation', 1),
        at('orientation', 2),
        at('orientation', 3),
        at('orientation', 0),
      ).normalize(),
    };
  }

  private compute(sample: number, row: number): Rim {
    if (!(patchSize(this.run, row) > 0)) return {segments: [], middle: null};
    const frame = patchFrame(this.run, row);
    if (this.made.size < kMostRims) {
      const bodyA = this.run.columns.get('contact/body_a')!.at(row),
        bodyB = this.run.columns.get('contact/body_b')!.at(row);
      const poseA = this.pose(bodyA, sample),
        poseB = this.pose(bodyB, sample);
      for (const a of this.shapes[bodyA] ?? []) {
        for (const b of this.shapes[bodyB] ?? []) {
          const areSolid = a.solid !== null && b.solid !== null;
          const segments = areSolid
            ? this.rimOfSolids(a.solid!, b.solid!, poseA, poseB, frame)
            : this.rimOfFacets(a, b, poseA, poseB, frame);
          if (segments?.length) return {segments, middle: areSolid ? frame.center : null};
        }
      }
    }
    return {segments: ellipse(frame), middle: frame.center};
  }

  private rimOfSolids(
    a: Solid,
    b: Solid,
    poseA: {position: Vector3; turn: Quaternion},
    poseB: {position: Vector3; turn: Quaternion},
    frame: PatchFrame,
  ): Segment[] | null {
    const placedA = new PlacedSolid(a, poseA.position, poseA.turn, frame.center),
      placedB = new PlacedSolid(b, poseB.position, poseB.turn, frame.center);
    if (isConvex(a) && isConvex(b)) return convexRim(placedA, placedB, frame);
    // The hollow one has the face that decides: the wall of a bore, the bottom of a hole.
    return isConvex(b)
      ? (faceRims(placedA, placedB, frame) ?? faceRims(placedB, placedA, frame))
      : (faceRims(placedB, placedA, frame) ?? faceRims(placedA, placedB, frame));
  }

  private rimOfFacets(
    a: BodyShape,
    b: BodyShape,
    poseA: {position: Vector3; turn: Quaternion},
    poseB: {position: Vector3; turn: Quaternion},
    frame: PatchFrame,
  ): Segment[] | null {
    const reach = 2.5 * sizeOf(frame);
    if (a.facets && b.shape.type === 'half-space') return slicePlane(a.facets, poseA, b.shape, poseB, frame.center, reach);
    if (b.facets && a.shape.type === 'half-space') return slicePlane(b.facets, poseB, a.shape, poseA, frame.center, reach);
    if (a.facets && b.facets) return crossMeshes(a.facets, poseA, b.facets, poseB, frame.center, reach);
    const [facets, pose, solid, other] = a.facets ? [a.facets, poseA, b.solid, poseB] : [b.facets, poseB, a.solid, poseA];
    if (!facets || !solid) return null;
    const round = new PlacedSolid(solid, other.position, other.turn, frame.center);
    return contourOnFacets(facets, pose, (x) => round.value(x), frame.center, 1.8 * sizeOf(frame), sizeOf(frame) / 10);
  }
}

// Segments that the record carries for a contact: /curve/segment has six numbers a row, start and end, and
// /curve/segment_start says at which row those of each contact begin.
export function recordedCurve(run: Run, row: number): Segment[] | null {
  const start = run.columns.get('curve/segment_start'),
    curve = run.columns.get('curve/segment');
  if (!start || !curve || row + 1 >= start.rows) return null;
  const from = start.at(row),
    to = Math.min(start.at(row + 1), curve.rows);
  if (from >= to) return null;
  const point = (i: number, k: number) => new Vector3(curve.at(i, k), curve.at(i, k + 1), curve.at(i, k + 2));
  return Array.from({length: to - from}, (_, i): Segment => [point(from + i, 0), point(from + i, 3)]);
}
