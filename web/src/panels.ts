// Which plots a tab shows, made from the columns that the record has.

import {Quaternion, Vector3} from 'three';
import {channelsOf, contactSeries, frictionSeries, norms} from './channels.ts';
import type {ContactChoice} from './channels.ts';
import {makeBalance, stackEdges} from './energy.ts';
import {formatNumber, formatQuantity, words} from './format.ts';
import type {PlotMark, PlotSeries, PlotSpec} from './plots.ts';
import type {ChannelInfo, Run} from './run.ts';
import {shapeRadius} from './shapes.ts';
import {kDashes, theme} from './theme.ts';

const kAxes = ['x', 'y', 'z'];

// A layer keeps its colour whatever else is in the stack: stored energies are cool, losses warm.
const kEnergyColors: Record<string, [string, string]> = {
  kinetic: ['#0072b2', '#56b4e9'],
  gravitational: ['#8fb7d6', '#3c6e96'],
  elastic: ['#009e73', '#2fc79a'],
  bristle: ['#7fcfb5', '#1c7a60'],
  spring: ['#5b7f3a', '#a3c878'],
  damping: ['#d55e00', '#f08a3c'],
  friction: ['#e69f00', '#e6b422'],
  viscous_friction: ['#c9b458', '#c9b458'],
  spring_damping: ['#b5651d', '#cf8a4e'],
  joint_friction: ['#cc79a7', '#e79ac5'],
};

function peakMarks(run: Run, choice: NonNullable<ContactChoice>): PlotMark[] {
  const a = run.bodyName(choice.pair.bodyA),
    b = run.bodyName(choice.pair.bodyB);
  const pair = run.info.summary?.contacts?.find((p) => p.body_a === a && p.body_b === b);
  if (!pair || choice.pair.contacts.length > 1) return [];
  return [{time: pair.peak_time, value: pair.peak_force, label: 'peak'}];
}

function vectorPlot(title: string, unit: string, time: ArrayLike<number>, components: ArrayLike<number>[]): PlotSpec {
  const size = norms(components);
  return {
    title,
    unit,
    time,
    series: components
      .map((values, i): PlotSeries => ({label: kAxes[i] ?? String(i + 1), values}))
      .concat({label: 'size', values: size, color: theme().text, dash: [], width: 1}),
  };
}

export function forcePlot(run: Run, choice: NonNullable<ContactChoice>): PlotSpec {
  const channel: ChannelInfo = {column: 'normal_force', title: 'Force', combine: 'sum', apart: 0};
  const marks = peakMarks(run, choice);
  const spec: PlotSpec = {
    title: `Force  ${choice.contact?.name ?? choice.pair.name}`,
    unit: 'N',
    time: run.time,
    zero: true,
    series: [
      {
        label: 'normal',
        values: run.has('contact/normal_force')
          ? contactSeries(run, choice, channel)[0]
          : new Float64Array(run.numSamples),
      },
    ],
    marks,
  };
  if (run.has('contact/force')) spec.series.push({label: 'friction', values: frictionSeries(run, choice)});
  const mark = marks[0];
  if (mark) {
    let drawn = 0;
    for (let i = 0; i < spec.series[0].values.length; ++i) drawn = Math.max(drawn, spec.series[0].values[i]);
    // A short impact may fall between two samples: the line cannot show it, the book of the run has it.
    if (mark.value > 1.001 * drawn) {
      spec.note = `peak ${formatQuantity(mark.value, 'N', 4)} at ${formatNumber(mark.time, 5)} s, between samples`;
    }
  }
  return spec;
}

function channelPlot(run: Run, choice: NonNullable<ContactChoice>, channel: ChannelInfo): PlotSpec {
  const components = contactSeries(run, choice, channel);
  const unit = run.unit(`contact/${channel.column}`);
  const time = run.time;
  if (components.length > 1) return vectorPlot(channel.title, unit, time, components);
  return {title: channel.title, unit, time, zero: channel.apart === 0, series: [{label: '', values: components[0]}]};
}

export function contactPlots(run: Run, choice: ContactChoice): PlotSpec[] {
  if (!choice) return [];
  const specs = [forcePlot(run, choice)];
  for (const channel of channelsOf(run)) {
    if (channel.column === 'normal_force' || channel.column === 'force') continue;
    const spec = channelPlot(run, choice, channel);
    const isEmpty = spec.series.every((s) => Array.prototype.every.call(s.values, (v: number) => !v));
    // A law without bristles has nothing to show there.
    if (!isEmpty || channel.column === 'depth') specs.push(spec);
  }
  return specs;
}

export function bodyPlots(run: Run, body: number): PlotSpec[] {
  const time = run.time;
  const vector = (column: string) => [0, 1, 2].map((i) => run.bodySeries(column, body, i));
  return [
    {
      ...vectorPlot('Position', 'm', time, vector('position')),
      series: vector('position').map((values, i) => ({label: kAxes[i] ?? String(i + 1), values})),
    },
    vectorPlot('Velocity', 'm/s', time, vector('velocity')),
    vectorPlot('Angular velocity', 'rad/s', time, vector('angular_velocity')),
  ];
}

export function jointPlots(run: Run, index: number): PlotSpec[] {
  const joint = run.info.joints[index];
  if (!joint) return [];
  const time = run.time;
  // Lengths on the left, angles on the right where a joint has both.
  const plot = (title: string, column: string, start: number, items: {label: string; unit: string}[]): PlotSpec => {
    const [unit, rightUnit] = [...new Set(items.map((item) => item.unit))];
    return {
      title,
      unit,
      rightUnit,
      time,
      series: items.map((item, i) => ({
        label: item.label,
        values: run.columns.get(column)!.component(start + i),
        isRight: item.unit !== unit,
      })),
    };
  };
  const specs = [
    plot(`Coordinate  ${joint.name}`, 'joint/q', joint.q_start, joint.q),
    plot('Rate', 'joint/v', joint.v_start, joint.v),
  ];
  if (run.has('joint/force')) specs.push(plot('Drive and passive force', 'joint/force', joint.v_start, joint.force));
  return joint.q.length ? specs : [];
}

// One plot for each quantity of each sensor, as it was shown at the times of the samples.
export function sensorPlots(run: Run): PlotSpec[] {
  const specs: PlotSpec[] = [];
  for (const [name, column] of run.columns) {
    if (!name.startsWith('sensor/')) continue;
    const [, sensor, quantity] = name.split('/');
    const {width, unit} = column.info;
    const components = Array.from({length: width}, (_, i) => column.component(i));
    const title = `${words(quantity)}  ${sensor}`;
    if (width === 3) {
      specs.push(vectorPlot(title, unit, run.time, components));
      continue;
    }
    const labels = width === 4 ? ['w', 'x', 'y', 'z'] : [words(quantity)];
    const series = components.map((values, i): PlotSeries => ({label: labels[i] ?? String(i + 1), values}));
    specs.push({title, unit: unit === '1' ? '' : unit, time: run.time, series});
  }
  return specs;
}

export function energyPlots(run: Run, tall = true): PlotSpec[] {
  const balance = makeBalance(run);
  const edges = stackEdges(balance.layers);
  const colors = theme();
  const time = run.time;
  const series: PlotSeries[] = balance.layers.map((layer, i) => ({
    label: layer.kind === 'removed' ? `${words(layer.name)} (out)` : words(layer.name),
    values: edges[i],
    shown: layer.values,
    fillTo: i - 1,
    color: (kEnergyColors[layer.name] ?? ['#999999', '#777777'])[colors.dark ? 1 : 0],
  }));
  series.push({label: 'available', values: balance.available, color: colors.text, dash: [5, 4], width: 1.25});
  const worst = run.info.summary?.energy_worst_residual;
  const turnover = run.info.summary?.energy_turnover;
  const note =
    worst !== undefined && turnover
      ? `misses by ${formatNumber(Math.abs(worst), 2)} J at most, ${formatNumber(Math.abs(worst) / turnover, 2)} of the energy turned over`
      : undefined;
  const stacked: PlotSpec = {title: 'Energy', unit: 'J', time, series, tall, zero: true};
  const residual: PlotSpec = {
    title: 'Balance, residual',
    unit: 'J',
    time,
    note,
    series: [{label: 'residual', values: balance.residual, color: colors.accent, dash: []}],
  };
  return tall ? [stacked, residual] : [stacked];
}

// Speed of the centre of mass: that of the frame's origin says nothing of a crank whose origin is its bearing.
export function massSpeed(run: Run, body: number): Float64Array {
  const series = (name: string, count: number) => Array.from({length: count}, (_, i) => run.bodySeries(name, body, i));
  const velocity = series('velocity', 3);
  const center = run.info.bodies[body].center_of_mass ?? [0, 0, 0];
  if (center.every((c) => c === 0)) return norms(velocity);
  const q = series('orientation', 4),
    spin = series('angular_velocity', 3);
  const moved = [0, 1, 2].map(() => new Float64Array(run.numSamples));
  const arm = new Vector3(),
    turn = new Quaternion(),
    rate = new Vector3();
  for (let i = 0; i < run.numSamples; ++i) {
    turn.set(q[1][i], q[2][i], q[3][i], q[0][i]);
    arm.set(...center).applyQuaternion(turn);
    rate.set(spin[0][i], spin[1][i], spin[2][i]).cross(arm);
    for (let k = 0; k < 3; ++k) moved[k][i] = velocity[k][i] + rate.getComponent(k);
  }
  return norms(moved);
}

export function speedPlot(run: Run, body: number): PlotSpec {
  const velocity = massSpeed(run, body);
  const spin = norms([0, 1, 2].map((i) => run.bodySeries('angular_velocity', body, i)));
  const size = Math.max(0, ...run.info.bodies[body].shapes.map(shapeRadius)) || 1;
  let fastest = 0;
  for (let i = 0; i < velocity.length; ++i) fastest = Math.max(fastest, velocity[i]);
  return {
    title: `Speed  ${run.bodyName(body)}`,
    unit: 'm/s',
    rightUnit: 'rad/s',
    // A thousandth of what rolling would be.
    rightLeast: (1e-3 * fastest) / size,
    time: run.time,
    zero: true,
    series: [
      {label: 'speed', values: velocity},
      {label: 'spin', values: spin, isRight: true},
    ],
  };
}

export function overviewPlots(run: Run, choice: ContactChoice, body: number, joint: number): PlotSpec[] {
  const specs: PlotSpec[] = [];
  if (choice) {
    specs.push(forcePlot(run, choice));
    const plots = ['volume', 'depth']
      .map((name) => channelsOf(run).find((c) => c.column === name))
      .filter((channel) => channel !== undefined)
      .map((channel) => channelPlot(run, choice, channel));
    // A contact without volume is a point: its depth then says how hard it presses.
    const hasVolume = plots.length > 1 && Array.prototype.some.call(plots[0].series[0].values, (v: number) => v > 0);
    const measure = hasVolume ? plots[0] : plots[plots.length - 1];
    if (measure) specs.push(measure);
  }
  if (run.info.joints[joint]) specs.push(...jointPlots(run, joint).slice(0, 1));
  if (body >= 0) specs.push(speedPlot(run, body));
  specs.push(...energyPlots(run, false));
  return specs;
}

// Runs of a comparison are called A, B, ... where there is little room.
export function variantLetter(index: number): string {
  return String.fromCharCode(65 + (index % 26)) + (index >= 26 ? String(Math.floor(index / 26)) : '');
}

// One plot for each quantity, one line for each run.
export function comparePlots(runs: Run[], pairName: string, body: number): PlotSpec[] {
  const make = (
    title: string,
    unit: string,
    zero: boolean,
    values: (run: Run) => ArrayLike<number> | null,
  ): PlotSpec => {
    const present = runs.map((run) => ({run, values: values(run)}));
    return {
      title,
      unit,
      zero,
      time: runs[0].time,
      times: present.map((p) => p.run.time),
      series: present.map((p, i) => ({
        label: variantLetter(i),
        dash: kDashes[i % kDashes.length],
        values: p.values ?? new Float64Array(p.run.numSamples).fill(NaN),
      })),
    };
  };
  const ofPair = (column: string) => (run: Run) => {
    const pair = run.pairs.find((p) => p.name === pairName);
    if (!pair || !run.has(`contact/${column}`)) return null;
    const channel = channelsOf(run).find((c) => c.column === column);
    return channel ? contactSeries(run, {pair, contact: null}, channel)[0] : null;
  };
  const specs: PlotSpec[] = [];
  if (pairName) {
    specs.push(make(`Normal force  ${pairName}`, 'N', true, ofPair('normal_force')));
    specs.push(make('Depth', 'm', true, ofPair('depth')));
    specs.push(
      make('Friction force', 'N', true, (run) => {
        const pair = run.pairs.find((p) => p.name === pairName);
        return pair && run.has('contact/force') ? frictionSeries(run, {pair, contact: null}) : null;
      }),
    );
  }
  if (body >= 0) {
    specs.push(make(`Speed  ${runs[0].bodyName(body)}`, 'm/s', true, (run) => massSpeed(run, body)));
  }
  specs.push(
    make('Energy dissipated', 'J', true, (run) => {
      const sum = new Float64Array(run.numSamples);
      for (const energy of run.info.energies) {
        const values = run.columns.get(`energy/${energy.name}`)?.component(0);
        if (energy.kind === 'dissipated' && values) for (let i = 0; i < sum.length; ++i) sum[i] += values[i];
      }
      return sum;
    }),
  );
  return specs;
}
