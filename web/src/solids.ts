// Shapes as inequalities: a convex primitive is where all its surfaces (planes and quadrics) are negative, a cell what
// its parts have in common. Drawn from these: the cut faces of cells (trim.ts) and the curves in which bodies meet
// (curves.ts).

import {Quaternion, Vector3} from 'three';
import type {ShapeInfo, Vector} from './run.ts';

// Solid where square . p^2 + linear . p + constant <= 0; of the order of a distance near the surface [m].
export interface Surface {
  square: Vector3;
  linear: Vector3;
  constant: number;
}

// A primitive in the frame of its body. A capsule is the union of a bar and two balls; all others are intersections.
export interface Primitive {
  surfaces: Surface[];
  capsule: {radius: number; half: number} | null;
  position: Vector3;
  turn: Quaternion;
  isComplement: boolean;
}

// What all its primitives have in common.
export interface Solid {
  parts: Primitive[];
}

const kZero = new Vector3();

function plane(normal: Vector3, offset: number): Surface {
  const unit = normal.clone().normalize();
  return {square: kZero, linear: unit, constant: -offset};
}

function quadric(x: number, y: number, z: number, constant: number): Surface {
  return {square: new Vector3(x, y, z), linear: kZero, constant};
}

function number(shape: ShapeInfo, key: string): number {
  const value = shape[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : Infinity;
}
function vector(shape: ShapeInfo, key: string): Vector3 {
  return new Vector3(...(shape[key] as Vector));
}

function ends(half: number): Surface[] {
  if (!Number.isFinite(half)) return [];
  return [plane(new Vector3(0, 0, 1), half), plane(new Vector3(0, 0, -1), half)];
}

function bar(radius: number): Surface {
  return quadric(0.5 / radius, 0.5 / radius, 0, -radius / 2);
}

function coneSurfaces(shape: ShapeInfo): Surface[] {
  const angle = Number.isFinite(number(shape, 'angle'))
    ? number(shape, 'angle')
    : (number(shape, 'angle_degrees') * Math.PI) / 180;
  const slope = Math.tan(angle / 2),
    height = number(shape, 'height');
  const scale = 0.5 / (slope * (Number.isFinite(height) ? height : 1));
  const side = quadric(scale, scale, -slope * slope * scale, 0);
  const base = Number.isFinite(height) ? [plane(new Vector3(0, 0, -1), height)] : [];
  return [side, plane(new Vector3(0, 0, 1), 0), ...base];
}

function hullPlanes(shape: ShapeInfo): Surface[] {
  const vertices = shape['vertices'] as Vector[],
    found: Surface[] = [];
  for (const [i, j, k] of shape['triangles'] as number[][]) {
    const a = new Vector3(...vertices[i]),
      b = new Vector3(...vertices[j]),
      c = new Vector3(...vertices[k]);
    const normal = b.sub(a).cross(c.sub(a));
    if (normal.lengthSq() === 0) continue;
    normal.normalize();
    const offset = normal.dot(a);
    if (!found.some((s) => s.linear.dot(normal) > 1 - 1e-12 && Math.abs(s.constant + offset) < 1e-9 * Math.abs(offset)))
      found.push(plane(normal, offset));
  }
  return found;
}

const kSurfaces: Record<string, (shape: ShapeInfo) => Surface[]> = {
  sphere: (s) => {
    const r = number(s, 'radius');
    return [quadric(0.5 / r, 0.5 / r, 0.5 / r, -r / 2)];
  },
  'half-space': (s) => [plane(vector(s, 'normal'), Number(s['offset'] ?? 0))],
  box: (s) => {
    const half = vector(s, 'size').multiplyScalar(0.5);
    return [0, 1, 2].flatMap((axis) =>
      [1, -1].map((sign) => plane(new Vector3().setComponent(axis, sign), half.getComponent(axis))),
    );
  },
  cylinder: (s) => [bar(number(s, 'radius')), ...ends(number(s, 'length') / 2)],
  bore: (s) => [bar(number(s, 'radius'))],
  cavity: (s) => kSurfaces['sphere'](s),
  cone: coneSurfaces,
  capsule: (s) => [bar(number(s, 'radius'))],
  ellipsoid: (s) => {
    const axes = vector(s, 'semi_axes');
    const least = Math.min(axes.x, axes.y, axes.z) / 2;
    return [quadric(least / axes.x ** 2, least / axes.y ** 2, least / axes.z ** 2, -least)];
  },
  wedge: (s) => [plane(vector(s, 'normal_1'), 0), plane(vector(s, 'normal_2'), 0)],
  polyhedron: hullPlanes,
};

export function makePrimitive(shape: ShapeInfo): Primitive | null {
  const make = kSurfaces[shape.type];
  if (!make) return null;
  const [w, x, y, z] = shape.orientation;
  return {
    surfaces: make(shape),
    capsule: shape.type === 'capsule' ? {radius: number(shape, 'radius'), half: number(shape, 'length') / 2} : null,
    position: new Vector3(...shape.position),
    turn: new Quaternion(x, y, z, w),
    isComplement: (shape['complement'] === true) !== (shape.type === 'bore' || shape.type === 'cavity'),
  };
}

// A ball without its hollow, below the plane of the lip.
function bowlParts(shape: ShapeInfo): ShapeInfo[] {
  const radius = number(shape, 'radius'),
    depth = number(shape, 'depth');
  const place = {position: [0, 0, 0] as Vector, orientation: [1, 0, 0, 0] as ShapeInfo['orientation']};
  return [
    {...place, type: 'sphere', radius: radius + number(shape, 'thickness')},
    {...place, type: 'sphere', radius, complement: true},
    {...place, type: 'half-space', normal: [0, 0, 1], offset: (Number.isFinite(depth) ? depth : radius) - radius},
  ];
}

// Null for a mesh or a torus, which has no inequalities.
export function makeSolid(shape: ShapeInfo): Solid | null {
  if (shape.type === 'bowl') return makeSolid({...shape, type: 'cell', part: bowlParts(shape)});
  if (!Array.isArray(shape['part'])) {
    const primitive = makePrimitive(shape);
    return primitive && {parts: [primitive]};
  }
  const [w, x, y, z] = shape.orientation;
  const turn = new Quaternion(x, y, z, w),
    position = new Vector3(...shape.position);
  const parts: Primitive[] = [];
  for (const part of shape['part'] as ShapeInfo[]) {
    const made = makePrimitive(part);
    if (!made) return null;
    made.position.applyQuaternion(turn).add(position);
    made.turn.premultiply(turn);
    parts.push(made);
  }
  return {parts};
}

export function isConvex(solid: Solid): boolean {
  return solid.parts.every((part) => !part.isComplement);
}

// p in the frame of the surface.
export function valueAt(surface: Surface, p: Vector3): number {
  const {square, linear} = surface;
  return (
    (square.x * p.x + linear.x) * p.x +
    (square.y * p.y + linear.y) * p.y +
    (square.z * p.z + linear.z) * p.z +
    surface.constant
  );
}

export function gradientAt(surface: Surface, p: Vector3): Vector3 {
  const {square, linear} = surface;
  return new Vector3(2 * square.x * p.x + linear.x, 2 * square.y * p.y + linear.y, 2 * square.z * p.z + linear.z);
}

// Real roots of a t^2 + b t + c, ascending, without loss of digits where one of them is small.
export function quadraticRoots(a: number, b: number, c: number): number[] {
  if (a === 0) return b === 0 ? [] : [-c / b];
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  const q = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant));
  if (q === 0) return [0];
  const x = q / a,
    y = c / q;
  return x < y ? [x, y] : [y, x];
}

// Coefficients of the surface's value along p + t d.
export function alongLine(surface: Surface, p: Vector3, d: Vector3): [number, number, number] {
  const {square, linear} = surface;
  return [
    square.x * d.x * d.x + square.y * d.y * d.y + square.z * d.z * d.z,
    (2 * square.x * p.x + linear.x) * d.x +
      (2 * square.y * p.y + linear.y) * d.y +
      (2 * square.z * p.z + linear.z) * d.z,
    valueAt(surface, p),
  ];
}
