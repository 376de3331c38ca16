// Pieces of curve as closed loops, and what they enclose.

import {ShapeUtils, Vector2, Vector3} from 'three';

type Segment = [Vector3, Vector3];

const kMostSegments = 800; // each end is compared with all others

// Closed loops among segments that meet within `tolerance` [m], whatever their order and sense. What does not close is
// left out.
export function chainLoops(segments: Segment[], tolerance: number): Vector3[][] {
  if (segments.length > kMostSegments) return [];
  const isUsed = new Array<boolean>(segments.length).fill(false);
  const loops: Vector3[][] = [];
  for (let first = 0; first < segments.length; ++first) {
    if (isUsed[first]) continue;
    isUsed[first] = true;
    const loop = [segments[first][0]];
    let end = segments[first][1];
    for (let next = nearest(segments, isUsed, end, tolerance); next; next = nearest(segments, isUsed, end, tolerance)) {
      isUsed[next.index] = true;
      loop.push(end);
      end = segments[next.index][1 - next.side];
      if (end.distanceTo(loop[0]) <= tolerance) break;
    }
    if (loop.length >= 3 && end.distanceTo(loop[0]) <= tolerance) loops.push(loop);
  }
  return loops;
}

function nearest(
  segments: Segment[],
  isUsed: boolean[],
  end: Vector3,
  tolerance: number,
): {index: number; side: number} | null {
  let best: {index: number; side: number} | null = null,
    least = tolerance;
  segments.forEach((segment, index) => {
    if (isUsed[index]) return;
    for (const side of [0, 1]) {
      const distance = segment[side].distanceTo(end);
      if (distance <= least) {
        least = distance;
        best = {index, side};
      }
    }
  });
  return best;
}

function isInside(p: Vector2, loop: Vector2[]): boolean {
  let isIn = false;
  loop.forEach((a, i) => {
    const b = loop[(i + 1) % loop.length];
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) isIn = !isIn;
  });
  return isIn;
}

// Corners of triangles, three by three, that fill the loops, looked at along a normal; a loop within another is a hole.
export function fillLoops(loops: Vector3[][], normal: Vector3): Vector3[] {
  const side = Math.abs(normal.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const e1 = side.cross(normal).normalize(),
    e2 = normal.clone().cross(e1);
  const flat = loops.map((loop) => loop.map((p) => new Vector2(p.dot(e1), p.dot(e2))));
  const depth = flat.map((loop, i) => flat.filter((other, k) => k !== i && isInside(loop[0], other)).length);
  const out: Vector3[] = [];
  loops.forEach((loop, i) => {
    if (depth[i] % 2) return;
    const holes = flat.map((_, k) => k).filter((k) => depth[k] === depth[i] + 1 && isInside(flat[k][0], flat[i]));
    const points = [...loop, ...holes.flatMap((k) => loops[k])];
    const faces = ShapeUtils.triangulateShape(
      flat[i].map((p) => p.clone()),
      holes.map((k) => flat[k].map((p) => p.clone())),
    );
    for (const face of faces) for (const index of face) out.push(points[index]);
  });
  return out;
}
