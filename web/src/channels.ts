// What can be plotted of a contact: the columns that the record's table (src/abut/scene/contact_sample.hpp) gives a title.

import type {ChannelInfo, Contact, Pair, Run} from './run.ts';

export function channelsOf(run: Run): ChannelInfo[] {
  return run.info.channels.filter((channel) => run.has(`contact/${channel.column}`));
}

export type ContactChoice = {pair: Pair; contact: Contact | null} | null;

function rowsOfChoice(choice: NonNullable<ContactChoice>): Contact[] {
  return choice.contact ? [choice.contact] : choice.pair.contacts;
}

// Components of a channel over all samples, for one patch or for a whole pair. `max` takes the component vector of the
// patch where it is longest (for a scalar: the greatest).
export function contactSeries(run: Run, choice: NonNullable<ContactChoice>, channel: ChannelInfo): Float64Array[] {
  const column = run.columns.get(`contact/${channel.column}`)!;
  const width = column.info.width;
  const empty = channel.apart === 0 ? 0 : NaN;
  const out = Array.from({length: width}, () => new Float64Array(run.numSamples).fill(empty));
  const best = channel.combine === 'max' ? new Float64Array(run.numSamples).fill(-Infinity) : null;
  for (const contact of rowsOfChoice(choice)) {
    for (let k = 0; k < contact.rows.length; ++k) {
      const row = contact.rows[k],
        sample = contact.samples[k];
      if (best) {
        let size = column.at(row);
        if (width > 1) {
          size = 0;
          for (let i = 0; i < width; ++i) size += column.at(row, i) ** 2;
        }
        if (size <= best[sample]) continue;
        best[sample] = size;
        for (let i = 0; i < width; ++i) out[i][sample] = column.at(row, i);
      } else {
        for (let i = 0; i < width; ++i) {
          const before = Number.isNaN(out[i][sample]) ? 0 : out[i][sample];
          out[i][sample] = before + column.at(row, i);
        }
      }
    }
  }
  return out;
}

export function norms(components: ArrayLike<number>[]): Float64Array {
  const out = new Float64Array(components[0].length);
  for (const component of components) for (let i = 0; i < out.length; ++i) out[i] += component[i] * component[i];
  for (let i = 0; i < out.length; ++i) out[i] = Math.sqrt(out[i]);
  return out;
}

// |f - (f.n) n| of each patch, summed as vectors over a pair: the friction force.
export function frictionSeries(run: Run, choice: NonNullable<ContactChoice>): Float64Array {
  const force = run.columns.get('contact/force')!,
    normal = run.columns.get('contact/normal')!;
  const sum = [0, 1, 2].map(() => new Float64Array(run.numSamples));
  for (const contact of rowsOfChoice(choice)) {
    for (let k = 0; k < contact.rows.length; ++k) {
      const row = contact.rows[k];
      const along =
        force.at(row, 0) * normal.at(row, 0) +
        force.at(row, 1) * normal.at(row, 1) +
        force.at(row, 2) * normal.at(row, 2);
      for (let i = 0; i < 3; ++i) sum[i][contact.samples[k]] += force.at(row, i) - along * normal.at(row, i);
    }
  }
  return norms(sum);
}

// Spans of time in which the choice touches, each with whether all its patches stick.
export interface Span {
  from: number;
  to: number;
  sticking: boolean;
}
export function contactSpans(run: Run, choice: NonNullable<ContactChoice>): Span[] {
  const sticking = run.columns.get('contact/sticking');
  const state = new Int8Array(run.numSamples); // 0 apart, 1 slips, 2 sticks
  for (const contact of rowsOfChoice(choice)) {
    for (let k = 0; k < contact.rows.length; ++k) {
      const now = sticking?.at(contact.rows[k]) ? 2 : 1;
      const sample = contact.samples[k];
      state[sample] = state[sample] === 1 ? 1 : now;
    }
  }
  const spans: Span[] = [];
  const time = run.time;
  for (let i = 0; i < state.length; ++i) {
    if (!state[i]) continue;
    const end = i + 1 < state.length ? time[i + 1] : time[i];
    const last = spans[spans.length - 1];
    if (last && last.to === time[i] && last.sticking === (state[i] === 2)) last.to = end;
    else spans.push({from: time[i], to: end, sticking: state[i] === 2});
  }
  return spans;
}

// The pair with the greatest force, which is what one wants to see first.
export function strongestPair(run: Run): ContactChoice {
  const contacts = run.info.summary?.contacts ?? [];
  const peaks = new Map(contacts.map((c) => [`${c.body_a}\u2013${c.body_b}`, c.peak_force]));
  let best: Pair | null = null;
  for (const pair of run.pairs) {
    if (!best || (peaks.get(pair.name) ?? 0) > (peaks.get(best.name) ?? 0)) best = pair;
  }
  return best ? {pair: best, contact: null} : null;
}
