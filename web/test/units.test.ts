// Unit tests of what needs no browser; run by `node --test` after build.mjs --test.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Vector3} from 'three';
import type {Mesh} from 'three';
import {channelsOf, contactSeries, contactSpans, frictionSeries} from '../src/channels.ts';
import {Column, decodeSeries, splitColumns} from '../src/data.ts';
import type {ColumnInfo, Series, ValueType} from '../src/data.ts';
import {decimate, floorIndex, nearestIndex} from '../src/decimate.ts';
import {makeBalance, stackEdges} from '../src/energy.ts';
import {formatNumber, unitText} from '../src/format.ts';
import {patchRadius} from '../src/glyphs.ts';
import {linkPoints} from '../src/links.ts';
import {sliderRange, sliderToValue, valueToSlider} from '../src/live.ts';
import {massSpeed} from '../src/panels.ts';
import {mergeTimes, padded} from '../src/plots.ts';
import {Player} from '../src/player.ts';
import {Run} from '../src/run.ts';
import type {RunInfo, SettingInfo} from '../src/run.ts';
import {kMakers, canDraw, makeShape} from '../src/shapes.ts';
import {isConvex, makeSolid} from '../src/solids.ts';
import {nextEvent} from '../src/timeline.ts';
import {crowdFactor, niceNumber, usualSize} from '../src/view3d.ts';

function column(name: string, width: number, values: number[], type: ValueType = 'r40'): Column {
  const rows = values.length / width;
  const make = (n: number): Series =>
    type === 'i32' ? new Int32Array(n) : type === 'u8' ? new Uint8Array(n) : new Float64Array(n);
  const series = Array.from({length: width}, (_, i) => {
    const s = make(rows);
    for (let row = 0; row < rows; ++row) s[row] = values[row * width + i];
    return s;
  });
  return new Column({name, unit: '', width, rows, type}, (i) => series[i]);
}

// Two bodies, three samples; a contact with two patches at samples 1 and 2.
function makeRun(): Run {
  const info: RunInfo = {
    name: 'test',
    title: '',
    version: '',
    complete: true,
    description: '',
    scene: '',
    gravity: [0, 0, -9.81],
    duration: 2,
    joints: [],
    springs: [],
    parameters: [],
    warnings: [],
    summary: null,
    bodies: [
      {name: 'box', fixed: false, shapes: []},
      {name: 'floor', fixed: true, shapes: []},
    ],
    energies: [
      {name: 'kinetic', kind: 'stored'},
      {name: 'gravitational', kind: 'stored'},
      {name: 'damping', kind: 'dissipated'},
      {name: 'motor', kind: 'supplied'},
    ],
    channels: [
      {column: 'normal_force', title: 'Normal force', combine: 'sum', apart: 0},
      {column: 'depth', title: 'Depth', combine: 'max', apart: 0},
      {column: 'volume', title: 'Volume', combine: 'sum', apart: 0},
      {column: 'novelty', title: 'novelty', combine: 'sum', apart: null},
    ],
  };
  const columns = [
    column('time', 1, [0, 1, 2]),
    column('body/position', 6, [0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
    column('contact/row_start', 1, [0, 0, 2, 3], 'i32'),
    column('contact/body_a', 1, [0, 0, 0], 'i32'),
    column('contact/body_b', 1, [1, 1, 1], 'i32'),
    column('contact/patch', 1, [4, 5, 5], 'i32'),
    column('contact/sticking', 1, [1, 0, 1], 'u8'),
    column('contact/depth', 1, [0.1, 0.3, 0.2]),
    column('contact/normal', 3, [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    column('contact/force', 3, [3, 0, 10, 0, 4, 20, 0, 0, 30]),
    column('contact/normal_force', 1, [10, 20, 30]),
    column('contact/novelty', 1, [1, 2, 3]),
    column('energy/kinetic', 1, [0, 4, 9]),
    column('energy/gravitational', 1, [-1, -6, -11]),
    column('energy/damping', 1, [0, 3, 4]),
    column('energy/motor', 1, [0, 2, 3]),
    column('event/time', 1, [0.5, 1.5]),
    column('event/kind', 1, [0, 3], 'i32'),
    column('event/body_a', 1, [0, 0], 'i32'),
    column('event/body_b', 1, [1, 1], 'i32'),
    column('event/patch', 1, [4, 5], 'i32'),
    column('event/normal_speed', 1, [-1, 0]),
  ];
  return new Run(info, new Map(columns.map((c) => [c.info.name, c])));
}

// An independent coder: straight from the description of the format, with big integers.
function encode(codes: bigint[], bytes: number, order: number): Uint8Array {
  const modulus = 1n << BigInt(8 * bytes);
  const out = new Uint8Array(1 + codes.length * bytes);
  out[0] = order;
  codes.forEach((code, i) => {
    const last = i ? codes[i - 1] : 0n;
    const before = i > 1 ? codes[i - 2] : last;
    const guess = order === 0 ? 0n : order === 1 ? last : 2n * last - before;
    let rest = (((code - guess) % modulus) + modulus) % modulus;
    if (rest >= modulus / 2n) rest -= modulus;
    const zigzag = rest >= 0n ? 2n * rest : -2n * rest - 1n;
    for (let plane = 0; plane < bytes; ++plane)
      out[1 + plane * codes.length + i] = Number((zigzag >> BigInt(8 * plane)) & 255n);
  });
  return out;
}

test('series decode to the same bits, whatever the predictor', () => {
  const values = [0, 1, -1, 0.5, 1e-300, -1e300, 3.25, 3.5, 3.75, Infinity, -0];
  values.push(0.1, Math.PI, 1 + Number.EPSILON);
  for (const [type, bytes] of [
    ['r40', 5],
    ['r48', 6],
    ['r56', 7],
    ['r64', 8],
  ] as [ValueType, number][]) {
    const dropped = BigInt(64 - 8 * bytes);
    const codes = values.map((v) => new BigUint64Array(Float64Array.of(v).buffer)[0] >> dropped);
    const expected = codes.map((c) => new Float64Array(BigUint64Array.of(c << dropped).buffer)[0]);
    for (const order of [0, 1, 2]) {
      const decoded = decodeSeries(encode(codes, bytes, order), type, codes.length);
      assert.deepEqual(Array.from(decoded), expected, `${type}, order ${order}`);
      if (type === 'r64') assert.deepEqual(Array.from(decoded), values);
    }
  }
  const integers = [0, -1, 7, 2147483647, -2147483648];
  const integerCodes = integers.map((v) => BigInt(v >>> 0));
  assert.deepEqual(Array.from(decodeSeries(encode(integerCodes, 4, 2), 'i32', 5)), integers);
  const floats = [0.5, -2, 1024, 0].map((v) => BigInt(new Uint32Array(Float32Array.of(v).buffer)[0] >>> 8));
  assert.deepEqual(Array.from(decodeSeries(encode(floats, 3, 1), 'r24', 4)), [0.5, -2, 1024, 0]);
  const singles = [0.1, -3.5e7, 0].map((v) => BigInt(new Uint32Array(Float32Array.of(v).buffer)[0]));
  assert.deepEqual(Array.from(decodeSeries(encode(singles, 4, 2), 'r32', 3)), [Math.fround(0.1), -3.5e7, 0]);
  assert.deepEqual(Array.from(decodeSeries(encode([0n, 255n, 3n], 1, 1), 'u8', 3)), [0, 255, 3]);
});

test('columns that do not fit their data are refused', () => {
  const info: ColumnInfo = {name: 'contact/depth', unit: 'm', width: 1, rows: 3, type: 'u8'};
  assert.throws(() => splitColumns(new Uint8Array(3), [info]), /end within contact\/depth/);
  assert.throws(() => splitColumns(new Uint8Array(6), [info]), /2 bytes too many/);
});

test('a column grows', () => {
  const grown = column('x', 2, [1, 2]);
  for (let i = 0; i < 300; ++i) grown.append(column('x', 2, [i, -i]));
  assert.equal(grown.rows, 301);
  assert.equal(grown.at(300, 1), -299);
  assert.equal(grown.component(0).length, 301);
});

test('decimation keeps every extreme and stays within the range', () => {
  const count = 100000;
  const time = Float64Array.from({length: count}, (_, i) => i * 1e-3);
  const values = Float64Array.from(
    {length: count},
    (_, i) => Math.sin(i * 0.37) + (i === 54321 ? 50 : 0) - (i === 777 ? 30 : 0),
  );
  const drawn = decimate(time, [values], 0, 100, 400);
  assert.ok(drawn.x.length <= 2 * 400 + 1);
  assert.equal(Math.max(...(drawn.ys[0] as number[])), values[54321]);
  assert.equal(Math.min(...(drawn.ys[0] as number[])), values[777]);
  assert.ok(drawn.x.every((t, i) => i === 0 || t >= drawn.x[i - 1]));
  const few = decimate(time, [values], 10, 10.005, 400);
  assert.equal(few.x[0], time[9999]);
  assert.equal(few.x.length, 7);
});

test('nearest and last samples', () => {
  const time = [0, 1, 2, 4];
  assert.deepEqual(
    [-1, 0, 0.5, 0.6, 3.1, 9].map((t) => nearestIndex(time, t)),
    [0, 0, 0, 1, 3, 3],
  );
  assert.deepEqual(
    [-1, 0, 0.5, 1, 3.9, 4, 9].map((t) => floorIndex(time, t)),
    [0, 0, 0, 1, 2, 3, 3],
  );
  assert.equal(nearestIndex([], 1), -1);
});

test('contacts are found, named and added up', () => {
  const run = makeRun();
  assert.deepEqual(
    run.contacts.map((c) => [c.name, c.samples, c.rows]),
    [
      ['box\u2013floor#4', [1], [0]],
      ['box\u2013floor#5', [1, 2], [1, 2]],
    ],
  );
  assert.equal(run.contactAt(2)?.patch, 5);
  const choice = {pair: run.pairs[0], contact: null};
  const channel = (name: string) => channelsOf(run).find((c) => c.column === name)!;
  assert.deepEqual(Array.from(contactSeries(run, choice, channel('normal_force'))[0]), [0, 30, 30]);
  assert.deepEqual(Array.from(contactSeries(run, choice, channel('depth'))[0]), [0, 0.3, 0.2]);
  assert.deepEqual(
    Array.from(contactSeries(run, {pair: run.pairs[0], contact: run.contacts[0]}, channel('depth'))[0]),
    [0, 0.1, 0],
  );
  assert.deepEqual(Array.from(frictionSeries(run, choice)), [0, 5, 0]);
  assert.deepEqual(
    channelsOf(run).map((c) => c.column),
    ['normal_force', 'depth', 'novelty'],
  );
  assert.deepEqual(contactSpans(run, choice), [
    {from: 1, to: 2, sticking: false},
    {from: 2, to: 2, sticking: true},
  ]);
});

test('events and their neighbours', () => {
  const run = makeRun();
  assert.equal(nextEvent(run.events, 0.5, 1)?.kind, 'slip');
  assert.equal(nextEvent(run.events, 1.5, -1)?.time, 0.5);
  assert.equal(nextEvent(run.events, 1.5, 1), null);
});

test('the energy stack meets what is available when the balance closes', () => {
  const run = makeRun();
  const balance = makeBalance(run);
  const top = stackEdges(balance.layers).at(-1)!;
  // kinetic + gravitational + damping - motor = -1, -1, -1: closed; the top is the start (10 above the lowest) + motor.
  assert.deepEqual(Array.from(balance.available), [10, 12, 13]);
  assert.deepEqual(Array.from(top), [10, 12, 13]);
  assert.deepEqual(Array.from(balance.residual), [0, 0, 0]);
});

test('energy taken out by a motor is stacked', () => {
  const run = makeRun();
  run.columns.set('energy/motor', column('energy/motor', 1, [0, -2, -5]));
  const balance = makeBalance(run);
  const layer = balance.layers.find((l) => l.name === 'motor')!;
  assert.equal(layer.kind, 'removed');
  assert.deepEqual(Array.from(layer.stacked), [0, 2, 5]);
  assert.deepEqual(Array.from(balance.available), [10, 10, 10]);
  assert.deepEqual(Array.from(balance.residual), [0, 4, 8]);
});

test('numbers and units', () => {
  assert.equal(formatNumber(0), '0');
  assert.equal(formatNumber(-1234.5678), '\u22121234.57');
  assert.equal(formatNumber(1.5e-7), '1.5e\u22127');
  assert.equal(formatNumber(123456789), '1.23457e8');
  assert.equal(formatNumber(NaN), '\u2013');
  assert.equal(formatNumber(2500000), '2500000');
  assert.equal(unitText('kg m^2'), 'kg\u00b7m\u00b2');
  assert.equal(unitText('N/m^1.5'), 'N/m^1.5');
  assert.equal(unitText('N/m^2.5'), 'N/m^2.5');
});

test('sliders go there and back', () => {
  const setting: SettingInfo = {path: 'a', key: 'a', value: 2, unit: '', minimum: 0, doc: '', group: ''};
  const range = sliderRange(setting);
  assert.deepEqual(range, {low: 0.2, high: 20, log: true});
  assert.equal(sliderToValue(0.5, range), 2);
  assert.equal(valueToSlider(2, range), 0.5);
  // A narrow slider over all tolerances would reach no useful one.
  const tolerance = sliderRange({...setting, minimum: 1e-13, maximum: 0.1, value: 1e-6});
  assert.ok(tolerance.log && Math.abs(tolerance.high - 1e-5) < 1e-15);
  assert.deepEqual(sliderRange({...setting, maximum: 1, value: 0.5}), {low: 0, high: 1, log: false});
  assert.deepEqual(sliderRange({...setting, minimum: undefined, value: -9.81}), {low: -19.62, high: 0, log: false});
});

test('the player plays, stops at the end and starts again', () => {
  const player = new Player();
  player.end = 1;
  player.play();
  player.tick(1000);
  player.tick(1100);
  assert.ok(Math.abs(player.time - 0.1) < 1e-12);
  player.setSpeed(50);
  player.tick(1200);
  assert.deepEqual([player.time, player.playing], [1, false]);
  player.play();
  assert.equal(player.time, 0);
  player.seek(9);
  assert.equal(player.time, 1);
});

test('links go from the joint that carries a body to those it carries, or to its centre of mass', () => {
  const info = makeRun().info;
  const coordinate = {q_start: 0, v_start: 0, q: [], v: [], force: [], type: 'revolute'};
  info.joints = [{...coordinate, name: 'a', ends: {parent: -1, child: 0, child_position: [0, 0, 1]}}];
  info.bodies[0].center_of_mass = [0, 0, -1];
  assert.deepEqual(
    linkPoints(info, 0).map((p) => p.z),
    [1, -1],
  );
  info.joints.push({...coordinate, name: 'b', ends: {parent: 0, child: 1, parent_position: [0, 0, -3]}});
  assert.deepEqual(
    linkPoints(info, 0).map((p) => p.z),
    [1, -3],
  );
  assert.deepEqual(linkPoints({...info, joints: []}, 0), []);
});

test('speed is that of the centre of mass', () => {
  const run = makeRun();
  const still = new Array(18).fill(0);
  run.columns.set('body/velocity', column('body/velocity', 6, still));
  // A quarter turn about z at the last sample; 2 rad/s about z, the centre 0.5 m off along its own x.
  const root = Math.SQRT1_2;
  run.columns.set(
    'body/orientation',
    column('body/orientation', 8, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, root, 0, 0, root, 1, 0, 0, 0]),
  );
  run.columns.set(
    'body/angular_velocity',
    column(
      'body/angular_velocity',
      6,
      still.map((_, i) => (i % 6 === 2 ? 2 : 0)),
    ),
  );
  assert.deepEqual(Array.from(massSpeed(run, 0)), [0, 0, 0]);
  run.info.bodies[0].center_of_mass = [0.5, 0, 0];
  for (const speed of massSpeed(run, 0)) assert.ok(Math.abs(speed - 1) < 1e-15);
});

test('signs of contacts: their unit, and their size in a crowd', () => {
  const run = makeRun();
  // Sizes of the forces are sqrt(109), sqrt(416) and 30; the second is the last that nineteen of twenty do not exceed.
  assert.equal(usualSize([run], 'contact/force'), Math.hypot(0, 4, 20));
  assert.equal(usualSize([run], 'contact/torque'), 1);
  assert.equal(crowdFactor(run), 1);
  run.columns.set('contact/row_start', column('contact/row_start', 1, [0, 0, 120, 240], 'i32'));
  assert.equal(crowdFactor(run), 0.5);
});

test('small helpers', () => {
  assert.deepEqual([0.012, 0.03, 4, 9].map(niceNumber), [0.01, 0.02, 5, 10]);
  assert.equal(patchRadius(0.01, 0.04, undefined), 0.02);
  assert.equal(patchRadius(0.01, undefined, undefined), 0);
  assert.deepEqual(padded(5, 5, false), [4.5, 5.5]);
  assert.equal(padded(0, 10, true)[0], 0);
  assert.deepEqual(
    Array.from(
      mergeTimes([
        [0, 2],
        [1, 2],
      ]),
    ),
    [0, 1, 2],
  );
});

test('every shape of the scene reference can be drawn, and a mesh', () => {
  const round = ['sphere', 'cylinder', 'bore', 'cone', 'capsule', 'ellipsoid', 'torus', 'cavity', 'bowl'];
  for (const type of [...round, 'half-space', 'box', 'wedge']) {
    assert.ok(type in kMakers, type);
  }
  const shape = {
    type: 'polyhedron',
    position: [0, 0, 0] as [number, number, number],
    orientation: [1, 0, 0, 0] as [number, number, number, number],
  };
  assert.equal(canDraw(shape), false);
  assert.equal(canDraw({...shape, vertices: [[0, 0, 0]], triangles: []}), true);
});

test('a bowl is drawn from its bottom to its lip, with all faces outwards, and is a ball without its hollow', () => {
  const style = {color: 0, opacity: 1, reach: 1, grid: 1, center: new Vector3(), lineColor: 0};
  const place = {
    position: [0, 0, 0] as [number, number, number],
    orientation: [1, 0, 0, 0] as [number, number, number, number],
  };
  const bowl = {...place, type: 'bowl', radius: 0.5, thickness: 0.1, depth: 0.3};
  const geometry = (makeShape(bowl, style).children[0] as Mesh).geometry;
  geometry.computeBoundingBox();
  assert.ok(Math.abs(geometry.boundingBox!.min.z + 0.6) < 1e-6 && Math.abs(geometry.boundingBox!.max.z + 0.2) < 1e-6);
  // The volume that the faces enclose is a sixth of the sum of their a . (b x c).
  const corners = geometry.getAttribute('position'),
    index = geometry.getIndex()!;
  let sum = 0;
  for (let i = 0; i < index.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(corners, index.getX(i + k)));
    sum += a.dot(b.cross(c));
  }
  const segment = (radius: number) => Math.PI * (radius ** 2 * -0.2 + 0.2 ** 3 / 3 + (2 / 3) * radius ** 3);
  assert.ok(Math.abs(sum / 6 / (segment(0.6) - segment(0.5)) - 1) < 0.02, `${sum / 6}`);
  const solid = makeSolid(bowl)!;
  assert.deepEqual(solid.parts.map((part) => part.isComplement), [false, true, false]);
  assert.equal(isConvex(solid), false);
  assert.equal(makeSolid({...place, type: 'torus', ring_radius: 0.5, tube_radius: 0.1}), null);
});

test('a smooth body drawn from triangles shares their normals and has no edges', () => {
  const style = {color: 0, opacity: 1, reach: 1, grid: 1, center: new Vector3(), lineColor: 0};
  const corners = {
    position: [0, 0, 0] as [number, number, number],
    orientation: [1, 0, 0, 0] as [number, number, number, number],
    vertices: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    triangles: [
      [0, 2, 1],
      [0, 1, 3],
      [0, 3, 2],
      [1, 2, 3],
    ],
  };
  const smooth = makeShape({...corners, type: 'superquadric', smooth: true}, style).children[0] as Mesh;
  assert.equal(smooth.geometry.getAttribute('normal').count, 4);
  assert.equal(smooth.children.length, 0);
  const flat = makeShape({...corners, type: 'mesh'}, style).children[0] as Mesh;
  assert.equal(flat.geometry.getAttribute('normal').count, 12);
  assert.equal(flat.children.length, 1);
});
