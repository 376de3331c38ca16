// Plots stacked over one time axis, with one cursor: the time of the view. Lines are decimated, numbers are exact.

import uPlot from 'uplot';
import {decimate, nearestIndex} from './decimate.ts';
import {element} from './dom.ts';
import {formatNumber, unitText} from './format.ts';
import {kDashes, theme} from './theme.ts';

export interface PlotSeries {
  label: string;
  values: ArrayLike<number>;
  shown?: ArrayLike<number>; // what the readout shows when it is not what is drawn (layers of a stack)
  color?: string;
  dash?: number[];
  width?: number;
  fillTo?: number; // index of the series below: the band between both is filled
  hidden?: boolean; // in the readout only
  isRight?: boolean; // has another unit, whose axis is on the right
}
export interface PlotMark {
  time: number;
  value: number;
  label: string;
}
export interface PlotSpec {
  title: string;
  unit: string;
  time: ArrayLike<number>;
  series: PlotSeries[];
  times?: ArrayLike<number>[]; // own times of series (comparison of runs)
  marks?: PlotMark[];
  note?: string;
  tall?: boolean;
  zero?: boolean; // keep zero in sight
  rightUnit?: string;
  rightLeast?: number; // the axis on the right spans at least this: less is rounding
}

export interface PlotHost {
  onSeek(time: number): void;
  onHover(time: number | null): void;
}

const kAxisWidth = 58;
const kRightAxisWidth = 46;

// Runs recorded at different instants are drawn over the union of them; a series has no value where its run has none.
export function mergeTimes(times: ArrayLike<number>[]): Float64Array {
  if (times.length === 1 || times.every((t) => t === times[0])) return Float64Array.from(times[0]);
  const all = new Set<number>();
  for (const time of times) for (let i = 0; i < time.length; ++i) all.add(time[i]);
  return Float64Array.from(all).sort();
}

function resample(time: Float64Array, own: ArrayLike<number>, values: ArrayLike<number>): Float64Array {
  const out = new Float64Array(time.length).fill(NaN);
  let k = 0;
  for (let i = 0; i < time.length && own.length > 0; ++i) {
    const t = time[i];
    if (t < own[0] || t > own[own.length - 1]) continue;
    while (k + 1 < own.length && own[k + 1] <= t) ++k;
    if (own[k] === t || k + 1 >= own.length) {
      out[i] = values[k];
    } else {
      const fraction = (t - own[k]) / (own[k + 1] - own[k]);
      out[i] = values[k] + fraction * (values[k + 1] - values[k]);
    }
  }
  return out;
}

export class Plot {
  readonly root: HTMLElement;
  readonly spec: PlotSpec;
  private readonly head: HTMLElement;
  private readonly body: HTMLElement;
  private readonly cursor = element('div', {class: 'now'});
  private readonly exact = element('div', {class: 'exact', hidden: true, 'aria-hidden': 'true'});
  private readonly values: HTMLElement[] = [];
  private chart: uPlot | null = null;
  private time: Float64Array;
  private drawnValues: ArrayLike<number>[];
  private range: [number, number];

  constructor(
    spec: PlotSpec,
    private readonly host: PlotHost,
    range: [number, number],
    private readonly onZoom: (range: [number, number] | null) => void,
  ) {
    this.spec = spec;
    this.range = range;
    this.time = spec.times ? mergeTimes(spec.times) : (spec.time as Float64Array);
    this.drawnValues = spec.series.map((s, i) =>
      spec.times ? resample(this.time, spec.times[i], s.values) : s.values,
    );
    this.head = this.makeHead();
    this.body = element('div', {class: 'chart'});
    this.root = element('section', {class: 'plot', 'aria-label': spec.title}, this.head, this.body);
    if (spec.note) this.root.append(element('div', {class: 'plot-note'}, spec.note));
  }

  // After the head has been laid out, which decides how much height is left.
  makeChart(width: number, height: number, hasTimeAxis: boolean, hasRightMargin: boolean): void {
    this.chart = this.makeUplot(width, height, hasTimeAxis, hasRightMargin);
    this.chart.over.append(this.cursor);
    this.body.append(this.exact);
    this.chart.ctx.canvas.setAttribute('aria-hidden', 'true'); // its values are in the head, as text
    this.listen(this.chart);
  }

  private visible(): number[] {
    return this.spec.series.map((_, i) => i).filter((i) => !this.spec.series[i].hidden);
  }

  private color(index: number): string {
    const colors = theme().series;
    return this.spec.series[index].color ?? colors[index % colors.length];
  }

  private makeHead(): HTMLElement {
    const unit = [this.spec.unit, this.spec.rightUnit ?? ''].filter((u) => u).map(unitText).join(', ');
    const head = element(
      'div',
      {class: 'plot-head'},
      element('span', {class: 'plot-title', title: this.spec.title}, this.spec.title),
      element('span', {class: 'plot-unit'}, unit && unit !== '1' ? unit : ''),
    );
    this.spec.series.forEach((series, i) => {
      const swatch = element('span', {class: 'swatch'});
      swatch.style.background = series.fillTo !== undefined || series.hidden ? this.color(i) : 'none';
      swatch.style.borderTop = `2px ${(series.dash ?? kDashes[i % kDashes.length]).length ? 'dashed' : 'solid'} ${this.color(i)}`;
      const value = element('span', {class: 'value', 'data-series': series.label || this.spec.title});
      this.values.push(value);
      head.append(element('span', {class: 'entry'}, swatch, `${series.label} `, value));
    });
    return head;
  }

  private makeUplot(width: number, height: number, hasTimeAxis: boolean, hasRightMargin: boolean): uPlot {
    const colors = theme();
    const font = '11px system-ui, sans-serif';
    const axis = {
      stroke: colors.faint,
      font,
      grid: {stroke: colors.grid, width: 1},
      ticks: {stroke: colors.grid, size: 4},
    };
    const shown = this.visible();
    const right = shown.find((index) => this.spec.series[index].isRight);
    const bands: uPlot.Band[] = [];
    shown.forEach((index, position) => {
      const below = this.spec.series[index].fillTo;
      if (below === undefined) return;
      if (below >= 0)
        bands.push({
          series: [position + 1, shown.indexOf(below) + 1],
          fill: this.color(index) + (colors.dark ? '99' : '88'),
        });
    });
    const options: uPlot.Options = {
      width,
      height,
      pxAlign: 0,
      legend: {show: false},
      // Wide enough for half of the last label of time; all plots of a stack end at the same place.
      padding: [6, right ? 2 : hasRightMargin ? kRightAxisWidth + 2 : 16, hasTimeAxis ? 0 : 4, 0],
      cursor: {
        sync: {key: 'time', setSeries: false},
        y: false,
        drag: {x: true, y: false, setScale: false},
        points: {show: false},
      },
      select: {show: true, left: 0, top: 0, width: 0, height: 0},
      scales: {
        x: {time: false, auto: false, range: () => this.range},
        y: {range: (_, low, high) => padded(low, high, this.spec.zero ?? false)},
        right: {
          range: (_, low, high) =>
            padded(low, high === null ? null : Math.max(high, this.spec.rightLeast ?? high), this.spec.zero ?? false),
        },
      },
      axes: [
        {
          ...axis,
          show: hasTimeAxis,
          size: 24,
          values: (_, ticks) => ticks.map((t) => String(Number(t.toPrecision(6)))),
        },
        {...axis, size: kAxisWidth, values: (_, ticks) => ticks.map((t) => formatNumber(t, 4)), space: 26},
        ...(right === undefined
          ? []
          : [
              {
                ...axis,
                scale: 'right',
                side: 1 as const,
                size: kRightAxisWidth,
                stroke: this.color(right),
                grid: {show: false},
                values: (_: uPlot, ticks: number[]) => ticks.map((t) => formatNumber(t, 3)),
                space: 26,
              },
            ]),
      ],
      series: [
        {},
        ...shown.map((index) => {
          const series = this.spec.series[index];
          const isFilled = series.fillTo !== undefined;
          return {
            label: series.label,
            scale: series.isRight ? 'right' : 'y',
            stroke: this.color(index),
            width: series.width ?? (isFilled ? 0.75 : 1.5),
            dash: series.dash ?? (isFilled ? [] : kDashes[index % kDashes.length]),
            points: {show: false},
            fill: series.fillTo === -1 ? this.color(index) + (colors.dark ? '99' : '88') : undefined,
            spanGaps: false,
          };
        }),
      ],
      bands,
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width < 4) return;
            this.onZoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
            u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
          },
        ],
        draw: [(u) => this.drawMarks(u)],
      },
    };
    return new uPlot(options, this.drawData(width), this.body);
  }

  private listen(chart: uPlot): void {
    let pressed = -1;
    chart.over.addEventListener('mousedown', (event) => {
      pressed = event.offsetX;
    });
    chart.over.addEventListener('mouseup', (event) => {
      if (Math.abs(event.offsetX - pressed) < 4) this.host.onSeek(chart.posToVal(event.offsetX, 'x'));
    });
    chart.over.addEventListener('mousemove', (event) => {
      this.host.onHover(chart.posToVal(event.offsetX, 'x'));
      this.showExact(chart, event.offsetX);
    });
    chart.over.addEventListener('mouseleave', () => {
      this.exact.hidden = true;
      this.host.onHover(null);
    });
    chart.over.addEventListener('dblclick', () => this.onZoom(null));
  }

  // Every digit of the nearest samples, beside the mouse.
  private showExact(chart: uPlot, x: number): void {
    const at = chart.posToVal(x, 'x');
    const rows: [string, string][] = [];
    let shownTime = NaN;
    this.spec.series.forEach((series, i) => {
      const {time, value} = this.valueNear(i, at);
      if (time !== shownTime) rows.push(['t', `${time} s`]);
      shownTime = time;
      rows.push([series.label || this.spec.title, Number.isNaN(value) ? '\u2013' : String(value).replace('-', '\u2212')]);
    });
    this.exact.replaceChildren(
      element(
        'table',
        {},
        ...rows.map(([name, text]) => element('tr', {}, element('td', {}, name), element('td', {}, text))),
      ),
    );
    this.exact.hidden = false;
    const left = chart.over.offsetLeft + x;
    const isRightHalf = x > chart.over.clientWidth / 2;
    this.exact.style.left = isRightHalf ? 'auto' : `${left + 12}px`;
    this.exact.style.right = isRightHalf ? `${this.body.clientWidth - left + 12}px` : 'auto';
  }

  private valueNear(series: number, at: number): {time: number; value: number} {
    const time = this.spec.times ? this.spec.times[series] : this.spec.time;
    const index = nearestIndex(time, at);
    const {shown, values} = this.spec.series[series];
    return index < 0 ? {time: NaN, value: NaN} : {time: time[index], value: (shown ?? values)[index]};
  }

  private drawData(width: number): uPlot.AlignedData {
    const shown = this.visible().map((i) => this.drawnValues[i]);
    const buckets = Math.max(50, Math.round(((width - kAxisWidth) * Math.min(2, window.devicePixelRatio || 1)) / 2));
    const drawn = decimate(this.time, shown, this.range[0], this.range[1], buckets);
    return [drawn.x, ...drawn.ys] as uPlot.AlignedData;
  }

  private drawMarks(chart: uPlot): void {
    const context = chart.ctx;
    const colors = theme();
    for (const mark of this.spec.marks ?? []) {
      if (mark.time < this.range[0] || mark.time > this.range[1]) continue;
      const x = chart.valToPos(mark.time, 'x', true);
      const y = Math.max(chart.bbox.top + 5, chart.valToPos(mark.value, 'y', true));
      context.save();
      context.strokeStyle = colors.text;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x - 5, y);
      context.lineTo(x, y - 5);
      context.lineTo(x + 5, y);
      context.lineTo(x, y + 5);
      context.closePath();
      context.stroke();
      context.restore();
    }
  }

  setRange(range: [number, number]): void {
    this.range = range;
    this.chart?.setData(this.drawData(this.chart.width), true);
  }

  showTime(now: number, hovered: number | null): void {
    this.showValues(hovered ?? now);
    if (!this.chart) return;
    const left = this.chart.valToPos(now, 'x');
    this.cursor.style.transform = `translateX(${left}px)`;
    this.cursor.hidden = now < this.range[0] || now > this.range[1];
  }

  // Values at a time: those of the nearest sample of each series, exactly as recorded.
  private showValues(at: number): void {
    this.spec.series.forEach((_, i) => {
      const {time, value} = this.valueNear(i, at);
      const text = formatNumber(value, 6);
      const node = this.values[i];
      if (node.textContent !== text) {
        node.textContent = text;
        node.title = String(value);
      }
      node.dataset['value'] = String(value);
      node.dataset['time'] = String(time);
    });
  }

  destroy(): void {
    this.chart?.destroy();
  }
}

export function padded(low: number | null, high: number | null, zero: boolean): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  let from = low,
    to = high;
  if (zero) {
    from = Math.min(from, 0);
    to = Math.max(to, 0);
  }
  if (from === 0 && to === 0 && zero) return [0, 1];
  if (from === to) {
    const margin = from === 0 ? 1 : 0.1 * Math.abs(from);
    return [from - margin, to + margin];
  }
  const margin = 0.06 * (to - from);
  return [zero && from === 0 ? 0 : from - margin, zero && to === 0 ? 0 : to + margin];
}

// All plots of the open tab.
export class PlotStack {
  private plots: Plot[] = [];
  private specs: PlotSpec[] = [];
  private zoom: [number, number] | null = null;
  private full: [number, number] = [0, 1];

  constructor(
    private readonly parent: HTMLElement,
    private readonly host: PlotHost,
  ) {
    new ResizeObserver(() => this.rebuildIfResized()).observe(parent);
  }

  private builtFor = '';

  show(specs: PlotSpec[], full: [number, number]): void {
    this.specs = specs;
    this.full = full[1] > full[0] ? full : [full[0], full[0] + 1];
    this.rebuild();
  }

  get zoomed(): [number, number] | null {
    return this.zoom;
  }

  setZoom(zoom: [number, number] | null): void {
    this.zoom = zoom;
    const range = zoom ?? this.full;
    for (const plot of this.plots) plot.setRange(range);
    this.parent.classList.toggle('zoomed', zoom !== null);
  }

  // Half of the span that is shown, about the cursor.
  enlarge(): void {
    const [from, to] = this.zoom ?? this.full;
    const half = (to - from) / 4;
    const middle = Math.min(this.full[1] - half, Math.max(this.full[0] + half, this.shown[0]));
    if (half > 1e-9 * Math.max(1e-9, this.full[1])) this.setZoom([middle - half, middle + half]);
  }

  private rebuildIfResized(): void {
    if (this.size() !== this.builtFor && this.parent.clientWidth > 0) this.rebuild();
  }

  private size(): string {
    return `${this.parent.clientWidth}x${this.parent.clientHeight}`;
  }

  rebuild(): void {
    this.builtFor = this.size();
    const scroll = this.parent.scrollTop;
    for (const plot of this.plots) plot.destroy();
    this.parent.replaceChildren();
    const width = Math.max(220, this.parent.clientWidth - 12);
    const range = this.zoom ?? this.full;
    this.plots = this.specs.map((spec) => new Plot(spec, this.host, range, (zoom) => this.setZoom(zoom)));
    // With their numbers, which decide how many lines a head takes.
    for (const plot of this.plots) plot.showTime(...this.shown);
    this.parent.append(...this.plots.map((plot) => plot.root));
    const hasRightMargin = this.specs.some((spec) => spec.rightUnit);
    // Heads, notes and the axis at the end take their part; the rest is shared, if it is worth it.
    const heads = this.plots.reduce((sum, plot) => sum + plot.root.offsetHeight, 0);
    const weights = this.specs.reduce((sum, spec) => sum + (spec.tall ? 2 : 1), 0);
    const share = Math.floor((this.parent.clientHeight - heads - 32) / Math.max(1, weights));
    const unit = Math.max(62, Math.min(230, share));
    this.plots.forEach((plot, i) => {
      const isLast = i === this.plots.length - 1;
      plot.makeChart(width, unit * (this.specs[i].tall ? 2 : 1) + (isLast ? 24 : 0), isLast, hasRightMargin);
    });
    this.parent.scrollTop = scroll;
    this.showTime(...this.shown);
  }

  private shown: [number, number | null] = [0, null];

  showTime(now: number, hovered: number | null): void {
    this.shown = [now, hovered];
    for (const plot of this.plots) plot.showTime(now, hovered);
  }
}
