// Shapes of the scene as things to draw: one maker for each `type`. A shape that carries `vertices` and `triangles`
// (meshes, polyhedra, cells) is drawn from them, so that a new type needs an entry here only when it has neither.

import {
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  CapsuleGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LatheGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  OctahedronGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
  EdgesGeometry,
} from 'three';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import type {Object3D} from 'three';
import type {ShapeInfo, Vector} from './run.ts';
import {makeSolid} from './solids.ts';
import {trimSolid} from './trim.ts';

export interface ShapeStyle {
  color: number;
  opacity: number;
  reach: number; // how far endless shapes are drawn [m]
  grid: number; // spacing of grid lines [m]
  center: Vector3; // of what moves, in the frame of the shape
  lineColor: number;
}

type Maker = (shape: ShapeInfo, style: ShapeStyle) => Object3D;

const kUp = new Vector3(0, 0, 1);

function number(shape: ShapeInfo, key: string, otherwise: number): number {
  const value = shape[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
function vector(shape: ShapeInfo, key: string, otherwise: Vector): Vector3 {
  const value = shape[key];
  return new Vector3(...(Array.isArray(value) && value.length === 3 ? (value as Vector) : otherwise));
}

export function makeMaterial(style: ShapeStyle): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color: style.color,
    roughness: 0.62,
    metalness: 0.02,
    transparent: style.opacity < 1,
    opacity: style.opacity,
    depthWrite: style.opacity >= 0.6,
    // Edges lie on their faces and must win.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}

// Two alternating tones, so that rolling can be seen on a round body.
function makeStripes(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 256;
  canvas.height = 128;
  const context = canvas.getContext('2d')!;
  for (let i = 0; i < 8; ++i) {
    for (let j = 0; j < 2; ++j) {
      context.fillStyle = (i + j) % 2 ? '#ffffff' : '#c4c8ce';
      context.fillRect(32 * i, 64 * j, 32, 64);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 4;
  return texture;
}
let stripes: CanvasTexture | null = null;

function makeEdgeMaterial(): LineBasicMaterial {
  return new LineBasicMaterial({color: 0x000000, transparent: true, opacity: 0.28});
}

function solid(geometry: BufferGeometry, style: ShapeStyle, isRound = false, hasEdges = !isRound): Mesh {
  const material = makeMaterial(style);
  if (isRound) material.map = stripes ??= makeStripes();
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = style.opacity >= 0.6;
  mesh.receiveShadow = true;
  if (hasEdges && style.opacity >= 0.6) {
    mesh.add(new LineSegments(new EdgesGeometry(geometry, 28), makeEdgeMaterial()));
  }
  return mesh;
}

// Grid on the plane z = 0 around `center`, fading outwards.
export function makeGrid(center: Vector3, reach: number, spacing: number, color: number): LineSegments {
  const points: number[] = [],
    colors: number[] = [];
  const rgb = [((color >> 16) & 255) / 255, ((color >> 8) & 255) / 255, (color & 255) / 255];
  const count = Math.ceil(reach / spacing);
  const pieces = 24;
  const cx = Math.round(center.x / spacing) * spacing,
    cy = Math.round(center.y / spacing) * spacing;
  const put = (x: number, y: number, strength: number) => {
    const fade = Math.max(0, 1 - Math.hypot(x - center.x, y - center.y) / reach);
    points.push(x, y, 0);
    colors.push(...rgb, strength * fade);
  };
  for (let i = -count; i <= count; ++i) {
    const strength = Math.round((cx + i * spacing) / spacing) % 5 === 0 ? 0.7 : 0.3;
    const strengthY = Math.round((cy + i * spacing) / spacing) % 5 === 0 ? 0.7 : 0.3;
    for (let k = 0; k < pieces; ++k) {
      const a = reach * ((2 * k) / pieces - 1),
        b = reach * ((2 * (k + 1)) / pieces - 1);
      put(cx + i * spacing, cy + a, strength);
      put(cx + i * spacing, cy + b, strength);
      put(cx + a, cy + i * spacing, strengthY);
      put(cx + b, cy + i * spacing, strengthY);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 4));
  return new LineSegments(geometry, new LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false}));
}

// A plane through `point` with its grid, in the frame of the shape.
function makePlane(normal: Vector3, offset: number, style: ShapeStyle): Object3D {
  const group = new Group();
  const turn = new Quaternion().setFromUnitVectors(kUp, normal.clone().normalize());
  group.quaternion.copy(turn);
  group.position.copy(normal.clone().normalize().multiplyScalar(offset));
  const center = style.center.clone().sub(group.position).applyQuaternion(turn.clone().invert());
  center.z = 0;
  const disc = new Mesh(
    new CircleGeometry(style.reach, 96),
    new MeshStandardMaterial({
      color: style.color,
      roughness: 0.95,
      transparent: true,
      opacity: 0.55,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }),
  );
  disc.position.copy(center);
  disc.receiveShadow = true;
  const grid = makeGrid(center, style.reach, style.grid, style.lineColor);
  group.add(disc, grid);
  // Seen from inside its solid a plane would hide everything: the view takes its grid away there.
  grid.userData['isGrid'] = true;
  return group;
}

function openTube(geometry: BufferGeometry, style: ShapeStyle): Object3D {
  const material = makeMaterial({...style, opacity: 0.3});
  material.side = DoubleSide;
  material.depthWrite = false;
  const mesh = new Mesh(geometry, material);
  mesh.add(
    new LineSegments(
      new EdgesGeometry(geometry, 28),
      new LineBasicMaterial({color: style.lineColor, transparent: true, opacity: 0.5}),
    ),
  );
  return mesh;
}

function makeWedge(shape: ShapeInfo, style: ShapeStyle): Object3D {
  const group = new Group();
  const normals = [vector(shape, 'normal_1', [0, 0, 1]).normalize(), vector(shape, 'normal_2', [1, 0, 0]).normalize()];
  const edge = normals[0].clone().cross(normals[1]).normalize();
  normals.forEach((normal, i) => {
    // The face leaves the edge into the half that the other face allows.
    const along = normal.clone().cross(edge).normalize();
    if (along.dot(normals[1 - i]) > 0) along.negate();
    const plane = new Mesh(new PlaneGeometry(style.reach, 2 * style.reach), makeMaterial({...style, opacity: 0.75}));
    (plane.material as MeshStandardMaterial).side = DoubleSide;
    plane.matrix
      .makeBasis(along, normal.clone().cross(along), normal)
      .setPosition(along.clone().multiplyScalar(style.reach / 2));
    plane.matrixAutoUpdate = false;
    plane.receiveShadow = true;
    group.add(plane);
  });
  return group;
}

function coneAngle(shape: ShapeInfo): number {
  return number(shape, 'angle', (number(shape, 'angle_degrees', 60) * Math.PI) / 180);
}

function meshGeometry(shape: ShapeInfo): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute((shape['vertices'] as number[][]).flat(), 3));
  geometry.setIndex((shape['triangles'] as number[][]).flat());
  // A smooth body's facets share their normals, so that light does not show them.
  const shaded = shape['smooth'] === true ? geometry : geometry.toNonIndexed();
  shaded.computeVertexNormals();
  return shaded;
}

// Surfaces of bounded shapes; endless ones end at `reach`.
const kGeometries: Record<string, (shape: ShapeInfo, reach: number) => BufferGeometry> = {
  sphere: (s) => new SphereGeometry(number(s, 'radius', 1), 48, 32).rotateX(Math.PI / 2),
  box: (s) => {
    const size = vector(s, 'size', [1, 1, 1]);
    return new BoxGeometry(size.x, size.y, size.z);
  },
  cylinder: (s, reach) => {
    const radius = number(s, 'radius', 1);
    return new CylinderGeometry(radius, radius, number(s, 'length', 2 * reach), 64).rotateX(Math.PI / 2);
  },
  bore: (s, reach) => {
    const radius = number(s, 'radius', 1);
    return new CylinderGeometry(radius, radius, 2 * reach, 72, 1, true).rotateX(Math.PI / 2);
  },
  cone: (s, reach) => {
    const height = number(s, 'height', reach);
    const geometry = new ConeGeometry(height * Math.tan(coneAngle(s) / 2), height, 64).rotateX(Math.PI / 2);
    return geometry.translate(0, 0, -height / 2);
  },
  capsule: (s) => new CapsuleGeometry(number(s, 'radius', 1), number(s, 'length', 1), 16, 48).rotateX(Math.PI / 2),
  ellipsoid: (s) => {
    const axes = vector(s, 'semi_axes', [1, 1, 1]);
    return new SphereGeometry(1, 56, 40).rotateX(Math.PI / 2).scale(axes.x, axes.y, axes.z);
  },
  'half-space': (s, reach) => planeGeometry(vector(s, 'normal', [0, 0, 1]), number(s, 'offset', 0), reach),
  wedge: (s, reach) => {
    const faces = [vector(s, 'normal_1', [0, 0, 1]), vector(s, 'normal_2', [1, 0, 0])].map((normal) =>
      planeGeometry(normal, 0, reach).toNonIndexed(),
    );
    const both = new BufferGeometry();
    const positions = faces.flatMap((face) => Array.from(face.getAttribute('position').array));
    return both.setAttribute('position', new Float32BufferAttribute(positions, 3));
  },
  torus: (s) => new TorusGeometry(number(s, 'ring_radius', 1), number(s, 'tube_radius', 0.25), 32, 96),
  cavity: (s) => new SphereGeometry(number(s, 'radius', 1), 48, 32).rotateX(Math.PI / 2),
  bowl: bowlGeometry,
  polyhedron: meshGeometry,
};

// The outline runs up the outside and down the hollow; three.js turns it about y. Creases stay sharp: their points are
// there twice.
function bowlGeometry(shape: ShapeInfo): BufferGeometry {
  const inner = number(shape, 'radius', 1),
    outer = inner + number(shape, 'thickness', 0.1),
    lip = number(shape, 'depth', inner) - inner;
  const arc = (radius: number) => {
    const end = Math.acos(-lip / radius);
    return Array.from({length: 33}, (_, i) => {
      const angle = (end * i) / 32;
      return new Vector2(radius * Math.sin(angle), -radius * Math.cos(angle));
    });
  };
  const up = arc(outer),
    down = arc(inner).reverse();
  return mergeGeometries([up, [up[32], down[0]], down].map((line) => new LatheGeometry(line, 72).rotateX(Math.PI / 2)));
}

function planeGeometry(normal: Vector3, offset: number, reach: number): BufferGeometry {
  const unit = normal.clone().normalize();
  const turn = new Quaternion().setFromUnitVectors(kUp, unit);
  const place = unit.multiplyScalar(offset);
  return new PlaneGeometry(2 * reach, 2 * reach).applyQuaternion(turn).translate(place.x, place.y, place.z);
}

function partsOf(shape: ShapeInfo): ShapeInfo[] {
  return Array.isArray(shape['part']) ? (shape['part'] as ShapeInfo[]) : [];
}

// What several shapes have in common, with its holes.
function makeCell(shape: ShapeInfo, style: ShapeStyle): Object3D {
  const parts = partsOf(shape);
  const local = {...shape, position: [0, 0, 0] as Vector, orientation: [1, 0, 0, 0] as ShapeInfo['orientation']};
  const solid = makeSolid(local);
  const reach = 2 * Math.max(0, ...parts.filter((part) => part['complement'] !== true).map(shapeRadius)) || style.reach;
  if (!solid || solid.parts.some((part) => part.capsule)) return makeParts(shape, {...style, reach});
  const surfaces = parts.map((part, i) => {
    const made = kGeometries[part.type](part, reach);
    made.applyQuaternion(solid.parts[i].turn);
    return made.translate(...solid.parts[i].position.toArray());
  });
  const creases = surfaces.map((surface, i) =>
    ['half-space', 'wedge', 'bore'].includes(parts[i].type) ? new BufferGeometry() : new EdgesGeometry(surface, 28),
  );
  const trimmed = trimSolid(solid, surfaces, creases, reach);
  const mesh = new Mesh(trimmed.faces, makeMaterial(style));
  mesh.castShadow = style.opacity >= 0.6;
  mesh.receiveShadow = true;
  if (style.opacity >= 0.6) mesh.add(new LineSegments(trimmed.edges, makeEdgeMaterial()));
  return mesh;
}

// Parts that cannot be cut (capsules): those that are kept are seen through, those that are cut away are empty.
function makeParts(shape: ShapeInfo, style: ShapeStyle): Object3D {
  const group = new Group();
  for (const part of partsOf(shape)) {
    const isHole = part['complement'] === true || part.type === 'bore';
    const made = makeShape(part, {...style, opacity: Math.min(style.opacity, isHole ? 0.2 : 0.5)});
    made.traverse((child) => {
      if (child instanceof Mesh && isHole) (child.material as MeshStandardMaterial).side = DoubleSide;
    });
    group.add(made);
  }
  return group;
}

const kRound = new Set(['sphere', 'capsule', 'ellipsoid', 'torus']);

function makeSolidShape(shape: ShapeInfo, style: ShapeStyle): Object3D {
  return solid(kGeometries[shape.type](shape, style.reach), style, kRound.has(shape.type));
}

export const kMakers: Record<string, Maker> = {
  sphere: makeSolidShape,
  'half-space': (s, style) => makePlane(vector(s, 'normal', [0, 0, 1]), number(s, 'offset', 0), style),
  box: makeSolidShape,
  cylinder: makeSolidShape,
  bore: (s, style) => openTube(kGeometries['bore'](s, style.reach), style),
  cone: makeSolidShape,
  capsule: makeSolidShape,
  ellipsoid: makeSolidShape,
  wedge: makeWedge,
  torus: makeSolidShape,
  cavity: (s, style) => openTube(kGeometries['cavity'](s, style.reach), style),
  bowl: makeSolidShape,
  cell: makeCell,
};

export function canDraw(shape: ShapeInfo): boolean {
  return shape.type in kMakers || (Array.isArray(shape['vertices']) && Array.isArray(shape['triangles']));
}

export function makeShape(shape: ShapeInfo, style: ShapeStyle): Object3D {
  const [w, x, y, z] = shape.orientation;
  const place = new Group();
  place.position.set(...shape.position);
  place.quaternion.set(x, y, z, w);
  const local = {
    ...style,
    center: style.center.clone().sub(place.position).applyQuaternion(place.quaternion.clone().invert()),
  };
  const maker = kMakers[shape.type];
  if (maker) place.add(maker(shape, local));
  else if (canDraw(shape)) place.add(solid(meshGeometry(shape), local, false, shape['smooth'] !== true));
  else place.add(new Mesh(new OctahedronGeometry(0.05 * style.reach), makeMaterial({...style, opacity: 0.5})));
  return place;
}

// Radius of the shape about the origin of its body; endless shapes have none.
export function shapeRadius(shape: ShapeInfo): number {
  const offset = Math.hypot(...shape.position);
  switch (shape.type) {
    case 'sphere':
      return offset + number(shape, 'radius', 0);
    case 'box':
      return offset + vector(shape, 'size', [0, 0, 0]).length() / 2;
    case 'cylinder':
      return offset + Math.hypot(number(shape, 'radius', 0), number(shape, 'length', 0) / 2);
    case 'capsule':
      return offset + number(shape, 'radius', 0) + number(shape, 'length', 0) / 2;
    case 'cone':
      return offset + number(shape, 'height', 0) * (1 + Math.tan(number(shape, 'angle', 0) / 2));
    case 'ellipsoid':
      return offset + Math.max(...vector(shape, 'semi_axes', [0, 0, 0]).toArray());
    case 'torus':
      return offset + number(shape, 'ring_radius', 0) + number(shape, 'tube_radius', 0);
    case 'bowl':
      return offset + number(shape, 'radius', 0) + number(shape, 'thickness', 0);
    case 'bore':
    case 'cavity':
      return offset + number(shape, 'radius', 0);
    default:
      break;
  }
  let radius = 0;
  for (const part of partsOf(shape)) if (!part['complement']) radius = Math.max(radius, shapeRadius(part));
  for (const v of (shape['vertices'] as number[][] | undefined) ?? []) radius = Math.max(radius, Math.hypot(...v));
  return radius > 0 ? offset + radius : 0;
}
