// Triangles that cross planes and other triangles: the rim of contacts of meshes.

import {Quaternion, Vector3} from 'three';
import type {ShapeInfo, Vector} from './run.ts';

export interface Facets {
  vertices: Vector3[]; // in the frame of the body
  triangles: number[][];
}

export interface Placed {
  position: Vector3;
  turn: Quaternion;
}

const kBoxFaces = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

// Null for shapes that are not bounded by flat faces.
export function makeFacets(shape: ShapeInfo): Facets | null {
  let vertices: Vector3[], triangles: number[][];
  if (shape.type === 'box') {
    const half = new Vector3(...(shape['size'] as Vector)).multiplyScalar(0.5);
    vertices = Array.from(
      {length: 8},
      (_, k) => new Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z),
    );
    triangles = kBoxFaces.flatMap(([a, b, c, d]) => [
      [a, b, c],
      [a, c, d],
    ]);
  } else if (Array.isArray(shape['vertices']) && Array.isArray(shape['triangles'])) {
    vertices = (shape['vertices'] as Vector[]).map((v) => new Vector3(...v));
    triangles = shape['triangles'] as number[][];
  } else {
    return null;
  }
  const [w, x, y, z] = shape.orientation;
  const turn = new Quaternion(x, y, z, w),
    position = new Vector3(...shape.position);
  for (const v of vertices) v.applyQuaternion(turn).add(position);
  return {vertices, triangles};
}

// Vertices in the world, measured from `center`.
function place(facets: Facets, pose: Placed, center: Vector3): Vector3[] {
  const shift = pose.position.clone().sub(center);
  return facets.vertices.map((v) => v.clone().applyQuaternion(pose.turn).add(shift));
}

// Whether a triangle comes within `reach` of the origin, by its box.
function isNear(a: Vector3, b: Vector3, c: Vector3, reach: number): boolean {
  const far = (x: number, y: number, z: number) => Math.min(x, y, z) > reach || Math.max(x, y, z) < -reach;
  return !(far(a.x, b.x, c.x) || far(a.y, b.y, c.y) || far(a.z, b.z, c.z));
}

function between(a: Vector3, b: Vector3, da: number, db: number): Vector3 {
  return a.clone().lerp(b, da / (da - db));
}

// Where a triangle crosses the plane on which `d` of its corners is zero. A corner on the plane counts as above it, so
// that neighbours agree.
function cut(corners: Vector3[], d: number[]): [Vector3, Vector3] | null {
  const points: Vector3[] = [];
  for (let i = 0; i < 3; ++i) {
    const j = (i + 1) % 3;
    if (d[i] < 0 !== d[j] < 0) points.push(between(corners[i], corners[j], d[i], d[j]));
  }
  return points.length === 2 ? [points[0], points[1]] : null;
}

export function slicePlane(
  facets: Facets,
  pose: Placed,
  plane: ShapeInfo,
  planePose: Placed,
  center: Vector3,
  reach: number,
): [Vector3, Vector3][] {
  const [w, x, y, z] = plane.orientation;
  const normal = new Vector3(...(plane['normal'] as Vector))
    .normalize()
    .applyQuaternion(new Quaternion(x, y, z, w))
    .applyQuaternion(planePose.turn);
  const origin = new Vector3(...plane.position).applyQuaternion(planePose.turn).add(planePose.position).sub(center);
  const offset = origin.dot(normal) + Number(plane['offset'] ?? 0);
  const vertices = place(facets, pose, center);
  const heights = vertices.map((v) => v.dot(normal) - offset);
  const segments: [Vector3, Vector3][] = [];
  for (const [i, j, k] of facets.triangles) {
    if (!isNear(vertices[i], vertices[j], vertices[k], reach)) continue;
    const found = cut([vertices[i], vertices[j], vertices[k]], [heights[i], heights[j], heights[k]]);
    if (found) segments.push([found[0].add(center), found[1].add(center)]);
  }
  return segments;
}

interface NearTriangle {
  corners: Vector3[];
  normal: Vector3;
  offset: number;
  low: Vector3;
  high: Vector3;
}

function nearTriangles(facets: Facets, pose: Placed, center: Vector3, reach: number): NearTriangle[] {
  const vertices = place(facets, pose, center);
  const found: NearTriangle[] = [];
  for (const [i, j, k] of facets.triangles) {
    const corners = [vertices[i], vertices[j], vertices[k]];
    if (!isNear(corners[0], corners[1], corners[2], reach)) continue;
    const normal = corners[1].clone().sub(corners[0]).cross(corners[2].clone().sub(corners[0]));
    if (normal.lengthSq() === 0) continue;
    normal.normalize();
    found.push({
      corners,
      normal,
      offset: normal.dot(corners[0]),
      low: corners[0].clone().min(corners[1]).min(corners[2]),
      high: corners[0].clone().max(corners[1]).max(corners[2]),
    });
  }
  return found;
}

const kMostPairs = 4e6; // boxes compared; beyond that the ellipse has to do

export function crossMeshes(
  a: Facets,
  poseA: Placed,
  b: Facets,
  poseB: Placed,
  center: Vector3,
  reach: number,
): [Vector3, Vector3][] | null {
  const first = nearTriangles(a, poseA, center, reach),
    second = nearTriangles(b, poseB, center, reach);
  if (first.length * second.length > kMostPairs) return null;
  const segments: [Vector3, Vector3][] = [];
  for (const s of first) {
    for (const t of second) {
      if (s.low.x > t.high.x || s.low.y > t.high.y || s.low.z > t.high.z) continue;
      if (t.low.x > s.high.x || t.low.y > s.high.y || t.low.z > s.high.z) continue;
      const found = crossTriangles(s, t);
      if (found) segments.push([found[0].add(center), found[1].add(center)]);
    }
  }
  return segments;
}

function crossTriangles(s: NearTriangle, t: NearTriangle): [Vector3, Vector3] | null {
  const one = cut(
    s.corners,
    s.corners.map((p) => p.dot(t.normal) - t.offset),
  );
  const two = cut(
    t.corners,
    t.corners.map((p) => p.dot(s.normal) - s.offset),
  );
  if (!one || !two) return null;
  // Both lie on the line that the planes share: what is common to them.
  const line = s.normal.clone().cross(t.normal);
  const length = line.length();
  if (length < 1e-12) return null;
  line.divideScalar(length);
  const sorted = (pair: [Vector3, Vector3]): [Vector3, Vector3] =>
    pair[0].dot(line) <= pair[1].dot(line) ? pair : [pair[1], pair[0]];
  const [a0, a1] = sorted(one),
    [b0, b1] = sorted(two);
  const from = a0.dot(line) > b0.dot(line) ? a0 : b0,
    to = a1.dot(line) < b1.dot(line) ? a1 : b1;
  return from.dot(line) < to.dot(line) ? [from.clone(), to.clone()] : null;
}

const kMostLeaves = 20000;

// Where facets pass through a surface that is zero there, negative inside, measured from `center`: triangles are halved
// near the patch until their sides are below `step`, and cut where the value changes its sign.
export function contourOnFacets(
  facets: Facets,
  pose: Placed,
  value: (x: Vector3) => number,
  center: Vector3,
  reach: number,
  step: number,
): [Vector3, Vector3][] | null {
  const vertices = place(facets, pose, center);
  const segments: [Vector3, Vector3][] = [];
  let leaves = 0;
  const visit = (corners: Vector3[]): void => {
    if (leaves > kMostLeaves || !isNear(corners[0], corners[1], corners[2], reach)) return;
    const sides = corners.map((p, i) => p.distanceTo(corners[(i + 1) % 3]));
    const longest = Math.max(...sides);
    if (longest <= step) {
      ++leaves;
      const found = cut(
        corners,
        corners.map((p) => value(p)),
      );
      if (found) segments.push([found[0].add(center), found[1].add(center)]);
      return;
    }
    const i = sides.indexOf(longest);
    const [a, b, c] = [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]];
    const half = a.clone().add(b).multiplyScalar(0.5);
    visit([a, half, c]);
    visit([half, b, c]);
  };
  for (const [i, j, k] of facets.triangles) visit([vertices[i], vertices[j], vertices[k]]);
  return leaves > kMostLeaves || !segments.length ? null : segments;
}
