// What is drawn of a long series: in each of `buckets` equal parts of time the least and the greatest value, so that
// no peak is lost. What is shown as a number is never taken from here.

export interface Drawn {
  x: number[];
  ys: (number | null)[][];
}

// First index with time[index] >= t.
export function lowerBound(time: ArrayLike<number>, t: number): number {
  let low = 0,
    high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Index of the sample nearest to t; -1 when there is none.
export function nearestIndex(time: ArrayLike<number>, t: number): number {
  if (time.length === 0) return -1;
  const after = lowerBound(time, t);
  if (after === 0) return 0;
  if (after === time.length) return time.length - 1;
  return t - time[after - 1] <= time[after] - t ? after - 1 : after;
}

// Index of the last sample at or before t; 0 when there is none.
export function floorIndex(time: ArrayLike<number>, t: number): number {
  const after = lowerBound(time, t);
  return after < time.length && time[after] === t ? after : Math.max(0, after - 1);
}

function toDrawn(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function decimate(
  time: ArrayLike<number>,
  series: ArrayLike<number>[],
  t0: number,
  t1: number,
  buckets: number,
): Drawn {
  // One sample beyond each end, so that lines leave the frame.
  const first = Math.max(0, lowerBound(time, t0) - 1);
  const last = Math.min(time.length - 1, lowerBound(time, t1));
  const count = last - first + 1;
  const x: number[] = [];
  const ys: (number | null)[][] = series.map(() => []);
  if (count <= 0) return {x, ys};
  if (count <= 4 * buckets) {
    for (let i = first; i <= last; ++i) {
      x.push(time[i]);
      for (let k = 0; k < series.length; ++k) ys[k].push(toDrawn(series[k][i]));
    }
    return {x, ys};
  }
  for (let bucket = 0; bucket < buckets; ++bucket) {
    const from = first + Math.floor((bucket * count) / buckets);
    const to = first + Math.floor(((bucket + 1) * count) / buckets);
    const middle = (from + to) >> 1;
    x.push(time[from], time[middle]);
    for (let k = 0; k < series.length; ++k) pushExtremes(series[k], from, to, ys[k]);
  }
  x.push(time[last]);
  for (let k = 0; k < series.length; ++k) ys[k].push(toDrawn(series[k][last]));
  return {x, ys};
}

// The extremes of [from, to) in the order in which they occur; a gap (not a number) counts only when nothing else does.
function pushExtremes(values: ArrayLike<number>, from: number, to: number, out: (number | null)[]): void {
  let least = -1,
    greatest = -1;
  for (let i = from; i < to; ++i) {
    const value = values[i];
    if (!Number.isFinite(value)) continue;
    if (least < 0 || value < values[least]) least = i;
    if (greatest < 0 || value > values[greatest]) greatest = i;
  }
  if (least < 0) out.push(null, null);
  else out.push(values[Math.min(least, greatest)], values[Math.max(least, greatest)]);
}
