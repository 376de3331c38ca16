// A cell as it is: the faces of its parts, cut where the other parts end. Faces are triangulated finely near the cut and
// clipped there; a corner that the cut makes lies on both surfaces, up to the chords of a round face.

import {BufferGeometry, Float32BufferAttribute, Matrix4, Vector3} from 'three';
import type {BufferAttribute} from 'three';
import {alongLine, gradientAt, quadraticRoots, valueAt} from './solids.ts';
import type {Primitive, Solid, Surface} from './solids.ts';

type Polygon = Vector3[]; // in the frame of the solid
type Edge = [Vector3, Vector3];

interface Local {
  part: Primitive;
  toPart: Matrix4;
}

export interface TrimmedSolid {
  faces: BufferGeometry;
  edges: BufferGeometry;
}

// Finest triangle, as a share of the radius of what cuts it.
const kFineness = 1 / 14;
const kDeepest = 9;

function surfaceRadius(surface: Surface): number {
  const most = Math.max(Math.abs(surface.square.x), Math.abs(surface.square.y), Math.abs(surface.square.z));
  return most > 0 ? 0.5 / most : Infinity;
}

// Keeps the side of a surface where sign * value <= 0; the new edge, if any, is appended to `edges`. Values below
// `tolerance` [m] are zero; a polygon that lies on the surface is kept or not as `keepsFlush` says.
function clip(
  polygon: Polygon,
  local: Local,
  surface: Surface,
  sign: 1 | -1,
  tolerance: number,
  keepsFlush: boolean,
  edges: Edge[] | null,
): Polygon {
  const points = polygon.map((p) => p.clone().applyMatrix4(local.toPart));
  const values = points.map((p) => sign * valueAt(surface, p)).map((v) => (Math.abs(v) < tolerance ? 0 : v));
  if (values.every((v) => v === 0)) return keepsFlush ? polygon : [];
  const out: Polygon = [],
    crossings: Vector3[] = [];
  polygon.forEach((p, i) => {
    const j = (i + 1) % polygon.length;
    if (values[i] <= 0) out.push(p);
    if (values[i] === 0) crossings.push(p);
    if (values[i] * values[j] >= 0) return;
    const d = points[j].clone().sub(points[i]);
    const t = quadraticRoots(...alongLine(surface, points[i], d)).find((root) => root >= 0 && root <= 1) ?? 0.5;
    const crossing = p.clone().lerp(polygon[j], t);
    out.push(crossing);
    crossings.push(crossing);
  });
  if (edges && crossings.length === 2) edges.push([crossings[0], crossings[1]]);
  return out.length >= 3 && values.some((v) => v < 0) ? out : [];
}

// What is left of a polygon inside (or, for a complement, outside) another part, as polygons.
function clipByPart(polygon: Polygon, isWall: boolean, local: Local, tolerance: number, edges: Edge[]): Polygon[] {
  let inside = polygon;
  const outside: Polygon[] = [];
  for (const surface of local.part.surfaces) {
    if (!inside.length) break;
    if (local.part.isComplement) {
      const beyond = clip(inside, local, surface, -1, tolerance, false, null);
      if (beyond.length) outside.push(beyond);
      inside = clip(inside, local, surface, 1, tolerance, true, null);
    } else {
      // The mouth of a hole, flush with a face, is no wall.
      inside = clip(inside, local, surface, 1, tolerance, !isWall, edges);
    }
  }
  if (!local.part.isComplement) return inside.length ? [inside] : [];
  // The rim of the hole is where the inside that has gone ended.
  addRim(inside, local, tolerance, edges);
  return outside;
}

// Sides of what was taken away that lie on a surface of what took it, unless all of it does.
function addRim(removed: Polygon, local: Local, tolerance: number, edges: Edge[]): void {
  const points = removed.map((p) => p.clone().applyMatrix4(local.toPart));
  for (const surface of local.part.surfaces) {
    const isOn = points.map((p) => Math.abs(valueAt(surface, p)) < tolerance);
    if (isOn.every((on) => on)) continue;
    removed.forEach((p, i) => {
      const j = (i + 1) % removed.length;
      if (isOn[i] && isOn[j]) edges.push([p, removed[j]]);
    });
  }
}

// Whether a point of an edge belongs to the solid's surface: other parts may have taken it away.
function isKept(point: Vector3, locals: Local[], tolerance: number): boolean {
  return locals.every((local) => {
    const p = point.clone().applyMatrix4(local.toPart);
    const values = local.part.surfaces.map((s) => valueAt(s, p));
    return local.part.isComplement ? values.some((v) => v >= -tolerance) : values.every((v) => v <= tolerance);
  });
}

// Whether a surface may pass through a triangle: at its middle it is no farther than the corners are.
function mayCross(triangle: Polygon, local: Local, surface: Surface): boolean {
  const points = triangle.map((p) => p.clone().applyMatrix4(local.toPart));
  const values = points.map((p) => valueAt(surface, p));
  if (Math.min(...values) <= 0 && Math.max(...values) >= 0) return true;
  const middle = points[0].clone().add(points[1]).add(points[2]).divideScalar(3);
  const reach = Math.max(...points.map((p) => p.distanceTo(middle)));
  const gradient = gradientAt(surface, middle).length(),
    bend = Math.max(Math.abs(surface.square.x), Math.abs(surface.square.y), Math.abs(surface.square.z));
  return Math.abs(valueAt(surface, middle)) <= gradient * reach + bend * reach * reach;
}

function split(triangle: Polygon): Polygon[] {
  const [a, b, c] = triangle;
  const [ab, bc, ca] = [a.clone().lerp(b, 0.5), b.clone().lerp(c, 0.5), c.clone().lerp(a, 0.5)];
  return [
    [a, ab, ca],
    [ab, b, bc],
    [ca, bc, c],
    [ab, bc, ca],
  ];
}

// Triangles small enough where a round surface of another part crosses them.
function refine(triangle: Polygon, others: Local[], depth: number, out: Polygon[]): void {
  const longest = Math.max(...triangle.map((p, i) => p.distanceTo(triangle[(i + 1) % 3])));
  const isCoarse = others.some((local) =>
    local.part.surfaces.some(
      (s) => longest > 2 * kFineness * surfaceRadius(s) && s.square.lengthSq() > 0 && mayCross(triangle, local, s),
    ),
  );
  if (!isCoarse || depth >= kDeepest) out.push(triangle);
  else for (const part of split(triangle)) refine(part, others, depth + 1, out);
}

function makeLocal(part: Primitive): Local {
  const toSolid = new Matrix4().compose(part.position, part.turn, new Vector3(1, 1, 1));
  return {part, toPart: toSolid.invert()};
}

function trianglesOf(geometry: BufferGeometry): Polygon[] {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const position = flat.getAttribute('position');
  const triangles: Polygon[] = [];
  for (let i = 0; i + 2 < position.count; i += 3) {
    triangles.push([0, 1, 2].map((k) => new Vector3().fromBufferAttribute(position, i + k)));
  }
  return triangles;
}

// Normals of the surface that a face belongs to: the one that is nearest to zero in its middle.
function normalsOf(polygon: Polygon, local: Local): Vector3[] {
  const middle = polygon.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(polygon.length);
  const inPart = middle.applyMatrix4(local.toPart);
  let own = local.part.surfaces[0],
    least = Infinity;
  for (const surface of local.part.surfaces) {
    const off = Math.abs(valueAt(surface, inPart)) / Math.max(gradientAt(surface, inPart).length(), 1e-300);
    if (off < least) {
      least = off;
      own = surface;
    }
  }
  return polygon.map((p) => {
    const normal = gradientAt(own, p.clone().applyMatrix4(local.toPart)).normalize().applyQuaternion(local.part.turn);
    return local.part.isComplement ? normal.negate() : normal;
  });
}

// parts[i] is drawn by surfaces[i] in the frame of the solid; creases likewise. size: of the solid [m].
export function trimSolid(
  solid: Solid,
  surfaces: BufferGeometry[],
  creases: BufferGeometry[],
  size: number,
): TrimmedSolid {
  const locals = solid.parts.map(makeLocal),
    tolerance = 1e-7 * size;
  const positions: number[] = [],
    normals: number[] = [],
    edges: Edge[] = [];
  surfaces.forEach((surface, index) => {
    const others = locals.filter((_, i) => i !== index),
      isWall = locals[index].part.isComplement;
    for (const triangle of trianglesOf(surface)) {
      const fine: Polygon[] = [];
      refine(triangle, others, 0, fine);
      for (const piece of fine) {
        let kept: Polygon[] = [piece];
        for (const other of others) {
          kept = kept.flatMap((polygon) => clipByPart(polygon, isWall, other, tolerance, edges));
        }
        for (const polygon of kept) addPolygon(polygon, normalsOf(polygon, locals[index]), positions, normals);
      }
    }
    for (const crease of creasesOf(creases[index])) {
      let kept = [crease];
      for (const other of others) kept = kept.flatMap((piece) => clipSegment(piece, other));
      edges.push(...kept);
    }
  });
  // The chord of a round face lies off its surface by so much.
  const slack = tolerance + 0.5 * kFineness * kFineness * size;
  const shown = edges.filter(([a, b]) => isKept(a.clone().lerp(b, 0.5), locals, slack));
  const faces = new BufferGeometry();
  faces.setAttribute('position', new Float32BufferAttribute(positions, 3));
  faces.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  const lines = new BufferGeometry();
  lines.setAttribute(
    'position',
    new Float32BufferAttribute(
      shown.flatMap(([a, b]) => [...a.toArray(), ...b.toArray()]),
      3,
    ),
  );
  return {faces, edges: lines};
}

function addPolygon(polygon: Polygon, normal: Vector3[], positions: number[], normals: number[]): void {
  const put = (i: number) => {
    positions.push(...polygon[i].toArray());
    normals.push(...normal[i].toArray());
  };
  const outward = polygon[1].clone().sub(polygon[0]).cross(polygon[2].clone().sub(polygon[0]));
  const isForward = outward.dot(normal[0]) >= 0;
  for (let i = 2; i < polygon.length; ++i) {
    put(0);
    put(isForward ? i - 1 : i);
    put(isForward ? i : i - 1);
  }
}

function creasesOf(geometry: BufferGeometry): Edge[] {
  const position = geometry.getAttribute('position') as BufferAttribute | undefined;
  const out: Edge[] = [];
  for (let i = 0; position && i + 1 < position.count; i += 2) {
    out.push([new Vector3().fromBufferAttribute(position, i), new Vector3().fromBufferAttribute(position, i + 1)]);
  }
  return out;
}

// Pieces of a segment that a part keeps.
function clipSegment([a, b]: Edge, local: Local): Edge[] {
  const p = a.clone().applyMatrix4(local.toPart),
    d = b.clone().applyMatrix4(local.toPart).sub(p);
  const cuts = [0, 1];
  for (const surface of local.part.surfaces) {
    cuts.push(...quadraticRoots(...alongLine(surface, p, d)).filter((t) => t > 0 && t < 1));
  }
  cuts.sort((x, y) => x - y);
  const pieces: Edge[] = [];
  for (let i = 0; i + 1 < cuts.length; ++i) {
    if (cuts[i + 1] - cuts[i] < 1e-9) continue;
    const middle = p.clone().addScaledVector(d, 0.5 * (cuts[i] + cuts[i + 1]));
    const isIn = local.part.surfaces.every((s) => valueAt(s, middle) <= 0);
    if (isIn !== local.part.isComplement) pieces.push([a.clone().lerp(b, cuts[i]), a.clone().lerp(b, cuts[i + 1])]);
  }
  return pieces;
}
