// Unit tests of what a contact and a cell look like: rims against closed forms, cut faces against their area.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BoxGeometry, CylinderGeometry, EdgesGeometry, Quaternion, Vector3} from 'three';
import type {BufferGeometry} from 'three';
import {PlacedSolid, RimMaker, convexRim, recordedCurve} from '../src/curves.ts';
import type {PatchFrame, Segment} from '../src/curves.ts';
import {Column} from '../src/data.ts';
import type {ValueType} from '../src/data.ts';
import {contourOnFacets, crossMeshes, makeFacets, slicePlane} from '../src/facets.ts';
import {arrowLength} from '../src/glyphs.ts';
import {chainLoops, fillLoops} from '../src/loops.ts';
import {Run} from '../src/run.ts';
import type {RunInfo, ShapeInfo} from '../src/run.ts';
import {makeSolid} from '../src/solids.ts';
import {trimSolid} from '../src/trim.ts';

const kNone: Pick<ShapeInfo, 'position' | 'orientation'> = {position: [0, 0, 0], orientation: [1, 0, 0, 0]};
const kStraight = new Quaternion();
const kFloor: ShapeInfo = {...kNone, type: 'half-space', normal: [0, 0, 1], offset: 0};
const kUp = new Vector3(0, 0, 1);

function placed(shape: ShapeInfo, position: Vector3, center: Vector3, turn = kStraight): PlacedSolid {
  return new PlacedSolid(makeSolid(shape)!, position, turn, center);
}

function frame(center: Vector3, a: number, b: number): PatchFrame {
  return {center, normal: kUp, axes: [new Vector3(a, 0, 0), new Vector3(0, b, 0)]};
}

const lengthOf = (segments: Segment[]) => segments.reduce((sum, [a, b]) => sum + a.distanceTo(b), 0);

// Each end is the start of the next one: one closed loop.
function assertClosed(segments: Segment[]): void {
  segments.forEach(([, end], i) => assert.ok(end.distanceTo(segments[(i + 1) % segments.length][0]) < 1e-12));
}

// How deep a body is in the floor must not matter to how well its rim is known: a tenth to a millionth of its size.
for (const depth of [1e-2, 1e-4, 1e-7]) {
  test(`rims on a floor, ${depth} m deep, are those of geometry`, () => {
    const center = new Vector3(0, 0, -depth / 3);
    const floor = placed(kFloor, new Vector3(), center);
    const radius = 0.1;
    const circle = Math.sqrt(2 * radius * depth - depth * depth);
    const ball: ShapeInfo = {...kNone, type: 'sphere', radius};
    const rim = convexRim(
      placed(ball, new Vector3(0, 0, radius - depth), center),
      floor,
      frame(center, circle, circle),
    )!;
    assertClosed(rim);
    for (const [p] of rim) {
      // Angles are halved down to 2e-10; over a rim of this size that is this much of height.
      assert.ok(Math.abs(p.z) < 1e-9 * circle + 1e-16, `height ${p.z}`);
      assert.ok(Math.abs(Math.hypot(p.x, p.y) / circle - 1) < 1e-6, `radius ${Math.hypot(p.x, p.y)}`);
    }
    const box: ShapeInfo = {...kNone, type: 'box', size: [0.2, 0.1, 0.3]};
    const square = convexRim(placed(box, new Vector3(0, 0, 0.15 - depth), center), floor, frame(center, 0.1, 0.05))!;
    // Corners are cut by at most 0.4 % of the patch.
    assert.ok(Math.abs(lengthOf(square) - 0.6) < 0.004, `perimeter ${lengthOf(square)}`);
    const bar: ShapeInfo = {...kNone, type: 'cylinder', radius, length: 0.5};
    const lying = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
    const strip = convexRim(
      placed(bar, new Vector3(0, 0, radius - depth), center, lying),
      floor,
      frame(center, 0.25, circle),
    )!;
    assert.ok(Math.abs(lengthOf(strip) / (1 + 4 * circle) - 1) < 0.01, `perimeter ${lengthOf(strip)}`);
  });
}

test('a capsule, an ellipsoid and a cone leave where their surfaces are', () => {
  const from = new Vector3(0, 0, 0);
  const exit = (shape: ShapeInfo, origin: Vector3, d: [number, number, number]) =>
    placed(shape, new Vector3(), origin).exit(new Vector3(...d));
  const capsule: ShapeInfo = {...kNone, type: 'capsule', radius: 0.1, length: 0.4};
  assert.ok(Math.abs(exit(capsule, from, [1, 0, 0]) - 0.1) < 1e-15);
  assert.ok(Math.abs(exit(capsule, from, [0, 0, 1]) - 0.3) < 1e-15);
  assert.ok(Math.abs(exit(capsule, from, [0, 0, -2]) - 0.15) < 1e-15);
  const egg: ShapeInfo = {...kNone, type: 'ellipsoid', semi_axes: [0.1, 0.2, 0.3]};
  assert.ok(Math.abs(exit(egg, from, [0, 1, 0]) - 0.2) < 1e-15);
  const cone: ShapeInfo = {...kNone, type: 'cone', angle: Math.PI / 2, height: 1};
  const inside = new Vector3(0, 0, -0.5);
  assert.ok(Math.abs(exit(cone, inside, [0, 0, 1]) - 0.5) < 1e-15);
  assert.ok(Math.abs(exit(cone, inside, [1, 0, 0]) - 0.5) < 1e-15);
  assert.ok(Math.abs(exit(cone, inside, [0, 0, -1]) - 0.5) < 1e-15);
  assert.equal(exit(kFloor, inside, [1, 0, 0]), Infinity);
});

test('facets: a cube in a floor, and a small cube on a large one', () => {
  const cube = (size: number): ShapeInfo => ({...kNone, type: 'box', size: [size, size, size]});
  const at = (z: number) => ({position: new Vector3(0, 0, z), turn: kStraight});
  const small = makeFacets(cube(0.1))!,
    large = makeFacets(cube(0.3))!;
  const center = new Vector3(0, 0, 0);
  const inFloor = slicePlane(small, at(0.05 - 1e-6), kFloor, at(0), center, 1);
  assert.ok(Math.abs(lengthOf(inFloor) - 0.4) < 1e-12);
  const onCube = crossMeshes(small, at(0.05 - 1e-6), large, at(-0.15), center, 1)!;
  assert.ok(Math.abs(lengthOf(onCube) - 0.4) < 1e-12);
  assert.equal(crossMeshes(small, at(0.06), large, at(-0.15), center, 1)!.length, 0);
});

test('a ball in the flat side of a mesh: a circle, on the facets', () => {
  const radius = 0.1,
    depth = 1e-6;
  const circle = Math.sqrt(2 * radius * depth);
  const table = makeFacets({...kNone, type: 'box', size: [1, 1, 0.2]})!;
  const center = new Vector3(0.1, 0.2, 0.1);
  const ball = placed({...kNone, type: 'sphere', radius}, new Vector3(0.1, 0.2, 0.1 + radius - depth), center);
  const at = {position: new Vector3(), turn: kStraight};
  const rim = contourOnFacets(table, at, (x) => ball.value(x), center, 1.8 * circle, circle / 10)!;
  for (const [p] of rim) {
    assert.ok(Math.abs(p.z - 0.1) < 1e-15);
    // Straight between corners a tenth apart: the sagitta of such a chord is below 1/8/10^2 of the radius.
    assert.ok(Math.abs(Math.hypot(p.x - 0.1, p.y - 0.2) / circle - 1) < 2e-3);
  }
  assert.ok(Math.abs(lengthOf(rim) / (2 * Math.PI * circle) - 1) < 2e-3);
});

function column(name: string, width: number, values: number[], type: ValueType = 'r64'): [string, Column] {
  const rows = values.length / width;
  const series = Array.from({length: width}, (_, i) =>
    Float64Array.from({length: rows}, (_, r) => values[r * width + i]),
  );
  return [name, new Column({name, unit: '', width, rows, type}, (i) => series[i])];
}

// A peg in a hole of a block: one row of contact against the wall.
function pegRun(position: [number, number, number], point: number[], normal: number[], size: number): Run {
  const block: ShapeInfo = {
    ...kNone,
    type: 'cell',
    part: [
      {...kNone, type: 'box', size: [0.2, 0.2, 0.2]},
      {...kNone, type: 'cylinder', radius: 0.05, length: 0.1, position: [0, 0, 0.05], complement: true},
    ],
  };
  const info = {
    bodies: [
      {name: 'peg', fixed: false, shapes: [{...kNone, type: 'cylinder', radius: 0.0499, length: 0.1}]},
      {name: 'block', fixed: true, shapes: [block]},
    ],
    joints: [],
    energies: [],
    channels: [],
  } as unknown as RunInfo;
  return new Run(
    info,
    new Map([
      column('time', 1, [0]),
      column('body/position', 6, [...position, 0, 0, 0]),
      column('body/orientation', 8, [1, 0, 0, 0, 1, 0, 0, 0]),
      column('contact/row_start', 1, [0, 1]),
      column('contact/body_a', 1, [0]),
      column('contact/body_b', 1, [1]),
      column('contact/patch', 1, [0]),
      column('contact/point', 3, point),
      column('contact/normal', 3, normal),
      column('contact/area', 1, [Math.PI * size * size]),
      column('contact/volume', 1, [1e-9]),
    ]),
  );
}

test('a peg against the wall of a hole: the rim lies on both surfaces', () => {
  // 0.2 mm to the side, 0.1 mm deep, from the bottom of the peg at z = 0.02 to the mouth of the hole at z = 0.1.
  const shift = 2e-4;
  const rim = new RimMaker(pegRun([shift, 0, 0.07], [0.0499, 0, 0.06], [-1, 0, 0], 0.02)).rim(0, 0).segments;
  assert.ok(rim.length > 20);
  let low = Infinity,
    high = -Infinity;
  for (const [p] of rim) {
    assert.ok(Math.abs(Math.hypot(p.x, p.y) - 0.05) < 1e-9, 'on the wall');
    assert.ok(Math.hypot(p.x - shift, p.y) < 0.0499 + 1e-9, 'not beyond the peg');
    low = Math.min(low, p.z);
    high = Math.max(high, p.z);
  }
  assert.ok(Math.abs(low - 0.02) < 1e-4 && Math.abs(high - 0.1) < 1e-4, `from ${low} to ${high}`);
});

test('a peg on the bottom of a hole: the rim is the edge of the peg', () => {
  const rim = new RimMaker(pegRun([0, 0, 0.05 - 1e-6], [0, 0, -5e-7], [0, 0, 1], 0.05)).rim(0, 0).segments;
  for (const [p] of rim) {
    assert.ok(Math.abs(Math.hypot(p.x, p.y) - 0.0499) < 1e-9);
    assert.ok(Math.abs(p.z) < 1e-12);
  }
  assert.ok(Math.abs(lengthOf(rim) / (2 * Math.PI * 0.0499) - 1) < 0.01);
});

test('a recorded curve is drawn as it is', () => {
  const run = pegRun([0, 0, 1], [0, 0, 0], [0, 0, 1], 0.05);
  assert.equal(recordedCurve(run, 0), null);
  for (const [name, made] of [
    column('curve/segment_start', 1, [0, 2]),
    column('curve/segment', 6, [0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 2, 0]),
  ])
    run.columns.set(name as string, made as Column);
  assert.equal(lengthOf(recordedCurve(run, 0)!), 3);
  assert.equal(lengthOf(new RimMaker(run).rim(0, 0).segments), 3);
});

function areaOf(geometry: BufferGeometry): number {
  const p = geometry.getAttribute('position');
  let area = 0;
  const corner = (i: number) => new Vector3().fromBufferAttribute(p, i);
  for (let i = 0; i < p.count; i += 3) {
    area +=
      corner(i + 1)
        .sub(corner(i))
        .cross(corner(i + 2).sub(corner(i)))
        .length() / 2;
  }
  return area;
}

test('a block with a hole has the faces of one, with the mouth open', () => {
  const edge = 0.2,
    radius = 0.05;
  for (const depth of [0.1, 0.2, 0.3]) {
    const block: ShapeInfo = {
      ...kNone,
      type: 'cell',
      part: [
        {...kNone, type: 'box', size: [edge, edge, edge]},
        {...kNone, type: 'cylinder', radius, length: depth, position: [0, 0, edge / 2 - depth / 2], complement: true},
      ],
    };
    const box = new BoxGeometry(edge, edge, edge);
    const tube = new CylinderGeometry(radius, radius, depth, 64).rotateX(Math.PI / 2);
    tube.translate(0, 0, edge / 2 - depth / 2);
    const {faces, edges} = trimSolid(
      makeSolid(block)!,
      [box, tube],
      [box, tube].map((g) => new EdgesGeometry(g, 28)),
      edge,
    );
    const isThrough = depth >= edge;
    const disc = Math.PI * radius * radius,
      wall = 2 * Math.PI * radius * Math.min(depth, edge);
    const expected = 6 * edge * edge - (isThrough ? 2 : 0) * disc + wall;
    // 64 chords are 0.04 % shorter than the circle, the triangles about the mouth somewhat more.
    assert.ok(Math.abs(areaOf(faces) / expected - 1) < 2e-3, `${depth}: ${areaOf(faces)} instead of ${expected}`);
    const points = edges.getAttribute('position');
    for (let i = 0; i < points.count; ++i) {
      const p = new Vector3().fromBufferAttribute(points, i);
      const r = Math.hypot(p.x, p.y);
      assert.ok(r > 0.98 * radius, 'no edge across the hole');
    }
    // Twelve edges of the box, and circles.
    let length = 0;
    for (let i = 0; i < points.count; i += 2)
      length += new Vector3()
        .fromBufferAttribute(points, i)
        .distanceTo(new Vector3().fromBufferAttribute(points, i + 1));
    assert.ok(length > 12 * edge + 2 * 2 * Math.PI * radius * 0.98, `edges of ${length} m`);
  }
});

test('pieces in any order become loops, and a loop in a loop a hole', () => {
  const square = (half: number, turned: boolean): Segment[] => {
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([x, y]) => new Vector3(half * x, half * y, 0.3));
    return corners.map((p, i): Segment => (turned && i % 2 ? [corners[(i + 1) % 4], p] : [p, corners[(i + 1) % 4]]));
  };
  const pieces = [...square(2, true), ...square(1, false)];
  const mixed = [5, 0, 3, 6, 1, 7, 2, 4].map((i) => pieces[i]);
  const loops = chainLoops(mixed, 1e-9);
  assert.deepEqual(loops.map((loop) => loop.length).sort(), [4, 4]);
  const fill = fillLoops(loops, kUp);
  let area = 0;
  for (let i = 0; i < fill.length; i += 3)
    area +=
      fill[i + 1]
        .clone()
        .sub(fill[i])
        .cross(fill[i + 2].clone().sub(fill[i]))
        .length() / 2;
  assert.ok(Math.abs(area - 12) < 1e-12, `${area}`);
  // An open end closes nothing.
  assert.deepEqual(chainLoops(mixed.slice(1, 3), 1e-9), []);
});

test('arrows are to scale up to their unit and by the logarithm beyond', () => {
  assert.equal(arrowLength(5, 10, 2), 1);
  assert.equal(arrowLength(10, 10, 2), 2);
  assert.equal(arrowLength(1000, 10, 2), 6);
});
