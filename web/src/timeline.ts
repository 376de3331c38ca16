// The bar at the bottom: a slider over the whole run, with a mark of its own shape for every event and the spans in
// which the chosen contact touches (solid while it sticks, hatched while it slips).

import {contactSpans} from './channels.ts';
import type {ContactChoice} from './channels.ts';
import {formatTime} from './format.ts';
import {kSlip, kStick, theme} from './theme.ts';
import {kEventKinds} from './run.ts';
import type {EventKind, Run, RunEvent} from './run.ts';

const kRow: Record<EventKind, number> = {touch: 0, lift: 0, stick: 1, slip: 1};

export function drawMark(context: CanvasRenderingContext2D, kind: EventKind, x: number, y: number, r: number): void {
  context.beginPath();
  if (kind === 'touch') {
    context.moveTo(x - r, y - r);
    context.lineTo(x + r, y - r);
    context.lineTo(x, y + r);
  }
  if (kind === 'lift') {
    context.moveTo(x - r, y + r);
    context.lineTo(x + r, y + r);
    context.lineTo(x, y - r);
  }
  if (kind === 'stick') context.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
  if (kind === 'slip') context.arc(x, y, r, 0, 2 * Math.PI);
  context.closePath();
}

export class Timeline {
  onSeek: (time: number) => void = () => undefined;
  private run: Run | null = null;
  private choice: ContactChoice = null;
  private end = 1;
  private time = 0;
  private back: HTMLCanvasElement = document.createElement('canvas');
  private shownEvents: RunEvent[] = [];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly tip: HTMLElement,
  ) {
    new ResizeObserver(() => {
      this.paintBack();
      this.paint();
    }).observe(canvas);
    let dragging = false;
    const seek = (event: PointerEvent) => this.onSeek(this.timeAt(event.offsetX));
    canvas.addEventListener('pointerdown', (event) => {
      dragging = true;
      canvas.setPointerCapture(event.pointerId);
      const near = event.offsetY < 26 ? this.nearEvent(event.offsetX) : null;
      if (near) this.onSeek(near.time);
      else seek(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (dragging) seek(event);
      else this.showTip(event);
    });
    canvas.addEventListener('pointerup', () => {
      dragging = false;
    });
    canvas.addEventListener('pointercancel', () => {
      dragging = false;
    });
    canvas.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
    });
  }

  show(run: Run, choice: ContactChoice, end: number): void {
    this.run = run;
    this.choice = choice;
    this.end = Math.max(end, 1e-12);
    this.shownEvents = run.events;
    this.paintBack();
    this.paint();
  }

  private pad = 10;
  private timeAt(x: number): number {
    const width = this.canvas.clientWidth - 2 * this.pad;
    return Math.min(this.end, Math.max(0, ((x - this.pad) / width) * this.end));
  }
  private place(time: number): number {
    return this.pad + (time / this.end) * (this.canvas.clientWidth - 2 * this.pad);
  }

  private nearEvent(x: number): RunEvent | null {
    let best: RunEvent | null = null,
      distance = 6;
    for (const event of this.shownEvents) {
      const away = Math.abs(this.place(event.time) - x);
      if (away < distance) {
        best = event;
        distance = away;
      }
    }
    return best;
  }

  private showTip(event: PointerEvent): void {
    const near = event.offsetY < 26 ? this.nearEvent(event.offsetX) : null;
    this.tip.hidden = false;
    this.tip.textContent = near
      ? `${near.kind} ${near.pair} at ${near.time.toPrecision(7)} s`
      : formatTime(this.timeAt(event.offsetX));
    this.tip.style.left = `${Math.min(event.offsetX, this.canvas.clientWidth - 150)}px`;
  }

  private paintBack(): void {
    const width = this.canvas.clientWidth,
      height = this.canvas.clientHeight;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.back.width = this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.back.height = this.canvas.height = Math.max(1, Math.round(height * ratio));
    const context = this.back.getContext('2d')!;
    context.scale(ratio, ratio);
    const colors = theme();
    const stick = colors.dark ? kStick.dark : kStick.light,
      slip = colors.dark ? kSlip.dark : kSlip.light;
    const barTop = 28,
      barHeight = 10;
    context.fillStyle = colors.grid;
    context.fillRect(this.pad, barTop, width - 2 * this.pad, barHeight);
    if (this.run && this.choice) {
      for (const span of contactSpans(this.run, this.choice)) {
        const x = this.place(span.from),
          w = Math.max(1, this.place(span.to) - x);
        context.fillStyle = span.sticking ? stick : hatch(context, slip);
        context.fillRect(x, barTop, w, barHeight);
      }
    }
    this.paintEvents(context, stick, slip, colors.text);
    this.paintTicks(context, colors.faint, barTop + barHeight);
  }

  // At most one mark of a kind in two pixels: a pile has thousands.
  private paintEvents(context: CanvasRenderingContext2D, stick: string, slip: string, text: string): void {
    const taken = new Set<string>();
    for (const event of this.run?.events ?? []) {
      const x = this.place(event.time);
      const key = `${event.kind}${Math.round(x / 2)}`;
      if (taken.has(key)) continue;
      taken.add(key);
      context.fillStyle = event.kind === 'stick' ? stick : event.kind === 'slip' ? slip : text;
      drawMark(context, event.kind, x, kRow[event.kind] ? 20 : 8, 3.6);
      if (event.kind === 'lift') {
        context.strokeStyle = text;
        context.lineWidth = 1;
        context.stroke();
      } else {
        context.fill();
      }
    }
  }

  private paintTicks(context: CanvasRenderingContext2D, color: string, top: number): void {
    const target = this.end / Math.max(2, (this.canvas.clientWidth - 20) / 90);
    const power = 10 ** Math.floor(Math.log10(target));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= target) ?? 10 * power;
    context.fillStyle = color;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (let i = 0; i * step <= this.end * (1 + 1e-9); ++i) {
      const x = this.place(i * step);
      context.fillRect(x - 0.5, top, 1, 4);
      context.fillText(String(Number((i * step).toPrecision(6))), Math.max(x, 12), top + 5);
    }
  }

  setTime(time: number): void {
    this.time = time;
    this.canvas.setAttribute('aria-valuenow', time.toFixed(4));
    this.canvas.setAttribute('aria-valuemax', this.end.toFixed(4));
    this.canvas.setAttribute('aria-valuetext', formatTime(time));
    this.paint();
  }

  private paint(): void {
    const context = this.canvas.getContext('2d')!;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.back, 0, 0);
    const x = this.place(this.time) * ratio;
    context.fillStyle = theme().accent;
    context.fillRect(x - ratio, 0, 2 * ratio, this.canvas.height - 14 * ratio);
    context.beginPath();
    context.arc(x, 33 * ratio, 6 * ratio, 0, 2 * Math.PI);
    context.fill();
  }
}

function hatch(context: CanvasRenderingContext2D, color: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const t = tile.getContext('2d')!;
  t.strokeStyle = color;
  t.lineWidth = 2.2;
  t.beginPath();
  t.moveTo(-1, 7);
  t.lineTo(7, -1);
  t.moveTo(-1, 1);
  t.lineTo(1, -1);
  t.moveTo(5, 7);
  t.lineTo(7, 5);
  t.stroke();
  return context.createPattern(tile, 'repeat') ?? color;
}

export function nextEvent(events: RunEvent[], time: number, direction: 1 | -1): RunEvent | null {
  const away = 1e-9 * Math.max(1, Math.abs(time));
  let found: RunEvent | null = null;
  for (const event of events) {
    if (direction > 0 && event.time > time + away && (!found || event.time < found.time)) found = event;
    if (direction < 0 && event.time < time - away && (!found || event.time > found.time)) found = event;
  }
  return found;
}

export {kEventKinds};
