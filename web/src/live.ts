// The live page: rows arrive as server-sent events, commands go up as POST.

import {decodeChunk} from './data.ts';
import type {Chunk} from './data.ts';
import {element} from './dom.ts';
import {formatNumber, unitText} from './format.ts';
import type {RunInfo, SettingInfo, Summary} from './run.ts';

export interface LiveHandlers {
  onBegin(info: RunInfo, chunk: Chunk): Promise<void>;
  onRows(chunk: Chunk): Promise<void>;
  onEnd(summary: Summary): void;
  onState(state: LiveState): void;
  onProblem(text: string): void;
}
export interface LiveState {
  paused: boolean;
  running: boolean;
  speed: number;
}

export class LiveLink {
  state: LiveState = {paused: false, running: true, speed: 1};
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly handlers: LiveHandlers) {
    const source = new EventSource('events');
    const on = (name: string, handle: (data: any) => void | Promise<void>) =>
      source.addEventListener(name, (event) => {
        // In order, also when decoding takes a moment.
        this.queue = this.queue
          .then(() => handle(JSON.parse((event as MessageEvent<string>).data)))
          .catch((error: unknown) => handlers.onProblem(String(error)));
      });
    on('begin', (data: {info: RunInfo; chunk: Chunk}) => handlers.onBegin(data.info, data.chunk));
    on('rows', (data: {chunk: Chunk}) => handlers.onRows(data.chunk));
    on('end', (data: {summary: Summary}) => handlers.onEnd(data.summary));
    on('state', (data: LiveState) => {
      this.state = data;
      handlers.onState(data);
    });
    source.onerror = () => handlers.onProblem('The connection to abut is lost: it has ended, or is not reachable.');
    source.onopen = () => handlers.onProblem('');
  }

  async send(command: string, body: unknown = {}): Promise<boolean> {
    try {
      const answer = await fetch(command, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {'Content-Type': 'application/json'},
      });
      const text = await answer.text();
      this.handlers.onProblem(answer.ok ? '' : text);
      return answer.ok;
    } catch {
      this.handlers.onProblem('abut did not answer.');
      return false;
    }
  }
}

// From a slider's position (0 to 1) to a value: by ratio where the value is positive, in equal steps otherwise.
export function sliderRange(setting: SettingInfo): {low: number; high: number; log: boolean} {
  const {value, minimum, maximum} = setting;
  const isNarrow =
    minimum !== undefined && maximum !== undefined && maximum - minimum <= (value === 0 ? 10 : 50 * Math.abs(value));
  if (isNarrow) return {low: minimum, high: maximum, log: false};
  if (value > 0 && minimum !== undefined && minimum >= 0) {
    return {low: Math.max(value / 10, minimum), high: Math.min(value * 10, maximum ?? Infinity), log: true};
  }
  const reach = Math.max(Math.abs(value), 1);
  return {
    low: Math.max(value - reach, minimum ?? -Infinity),
    high: Math.min(value + reach, maximum ?? Infinity),
    log: false,
  };
}

export function sliderToValue(position: number, range: {low: number; high: number; log: boolean}): number {
  const raw = range.log
    ? range.low * (range.high / range.low) ** position
    : range.low + position * (range.high - range.low);
  return Number(raw.toPrecision(4));
}
export function valueToSlider(value: number, range: {low: number; high: number; log: boolean}): number {
  const position = range.log
    ? Math.log(value / range.low) / Math.log(range.high / range.low)
    : (value - range.low) / (range.high - range.low);
  return Number.isFinite(position) ? Math.min(1, Math.max(0, position)) : 0;
}

// Every digit, in as few letters as it takes: 1e10, not 10000000000.
export function inputText(value: number): string {
  const plain = String(value),
    short = value.toExponential().replace('e+', 'e');
  return plain.length <= 9 || plain.length <= short.length ? plain : short;
}

// A row for each number of the scene; `first` values stay as they were when the page was opened.
export function settingsView(
  settings: SettingInfo[],
  first: Map<string, number>,
  onChange: (path: string, value: number) => void,
): HTMLElement[] {
  const nodes: HTMLElement[] = [];
  let group = '';
  for (const setting of settings) {
    if (!first.has(setting.path)) first.set(setting.path, setting.value);
    if (setting.group !== group) {
      group = setting.group;
      nodes.push(element('h3', {}, group));
    }
    // The range belongs to the value the scene came with, so that it does not run away under the hand.
    const range = sliderRange({...setting, value: first.get(setting.path)!});
    const slider = element('input', {
      type: 'range',
      min: '0',
      max: '1',
      step: 'any',
      'aria-label': `${setting.path} slider`,
    });
    slider.value = String(valueToSlider(setting.value, range));
    const box = element('input', {
      type: 'text',
      inputmode: 'decimal',
      class: 'number',
      'aria-label': setting.path,
      value: inputText(setting.value),
      spellcheck: 'false',
    });
    slider.addEventListener('input', () => {
      const value = sliderToValue(Number(slider.value), range);
      box.value = inputText(setting.integer ? Math.round(value) : value);
    });
    slider.addEventListener('change', () => onChange(setting.path, Number(box.value)));
    box.addEventListener('change', () => onChange(setting.path, Number(box.value)));
    const changed = first.get(setting.path) !== setting.value;
    const name = element(
      'label',
      {title: `${setting.path}: ${setting.doc}`, class: changed ? 'changed' : ''},
      setting.key.replace(/_/g, ' '),
    );
    const back = element(
      'button',
      {type: 'button', class: 'link', title: `back to ${formatNumber(first.get(setting.path)!)}`},
      '\u21ba',
    );
    back.hidden = !changed;
    back.addEventListener('click', () => onChange(setting.path, first.get(setting.path)!));
    nodes.push(
      element(
        'div',
        {class: 'setting'},
        name,
        slider,
        box,
        element('span', {class: 'unit'}, setting.unit === '1' ? '' : unitText(setting.unit)),
        back,
      ),
    );
  }
  return nodes;
}

export {decodeChunk};
