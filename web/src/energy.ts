// The energy ledger as a stacked balance. Stored (gravity counted from its lowest value) and dissipated energies are
// stacked; what was available at the start plus what has been put in is the line that the top of the stack must meet.
// Energy taken out (a braking motor) is stacked too, so that nothing hangs below zero.

import type {Run} from './run.ts';

export interface EnergyLayer {
  name: string;
  kind: 'stored' | 'dissipated' | 'removed';
  values: Float64Array; // as recorded (supplied columns: with opposite sign), for the readout
  stacked: Float64Array; // its share of the stack, >= 0 apart from rounding
}
export interface EnergyBalance {
  layers: EnergyLayer[];
  available: Float64Array; // start + put in
  residual: Float64Array; // stored + dissipated - supplied - (the same at the start)
  scale: number; // greatest height of the stack
}

export function makeBalance(run: Run): EnergyBalance {
  const count = run.numSamples;
  const layers: EnergyLayer[] = [];
  const total = new Float64Array(count),
    available = new Float64Array(count),
    stack = new Float64Array(count);
  for (const energy of run.info.energies) {
    const column = run.columns.get(`energy/${energy.name}`);
    if (!column || column.rows < count) continue;
    const recorded = column.component(0);
    const sign = energy.kind === 'supplied' ? -1 : 1;
    const values = new Float64Array(count),
      stacked = new Float64Array(count);
    let lowest = 0,
      largest = 0;
    if (energy.kind === 'stored') {
      lowest = Infinity;
      for (let i = 0; i < count; ++i) lowest = Math.min(lowest, recorded[i]);
      if (energy.name !== 'gravitational') lowest = Math.min(lowest, 0);
    }
    for (let i = 0; i < count; ++i) {
      values[i] = sign * recorded[i];
      total[i] += values[i];
      if (energy.kind === 'supplied') {
        available[i] += Math.max(recorded[i], 0);
        stacked[i] = Math.max(-recorded[i], 0);
      } else {
        stacked[i] = recorded[i] - lowest;
      }
      stack[i] += stacked[i];
      largest = Math.max(largest, Math.abs(stacked[i]), energy.kind === 'supplied' ? Math.abs(recorded[i]) : 0);
    }
    if (largest === 0) continue;
    layers.push({name: energy.name, kind: energy.kind === 'supplied' ? 'removed' : energy.kind, values, stacked});
  }
  const start = count ? stack[0] - available[0] : 0;
  // The recorded residual was summed before the page's values were rounded.
  const recorded = run.columns.get('energy/residual');
  const residual = new Float64Array(count);
  let scale = 0;
  for (let i = 0; i < count; ++i) {
    residual[i] = recorded && i < recorded.rows ? recorded.at(i) : total[i] - total[0];
    available[i] += start;
    scale = Math.max(scale, stack[i]);
  }
  return {layers, available, residual, scale};
}

// Upper edges of the layers, bottom first.
export function stackEdges(layers: EnergyLayer[]): Float64Array[] {
  const edges: Float64Array[] = [];
  for (const layer of layers) {
    const below = edges[edges.length - 1];
    const edge = Float64Array.from(layer.stacked);
    if (below) for (let i = 0; i < edge.length; ++i) edge[i] += below[i];
    edges.push(edge);
  }
  return edges;
}
