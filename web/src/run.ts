// One recorded (or growing) run: columns, contacts, events, and what the scene says.

import {Column} from './data.ts';
import type {Chunk} from './data.ts';
import {floorIndex} from './decimate.ts';

export type Vector = [number, number, number];

export interface ShapeInfo {
  type: string;
  position: Vector;
  orientation: [number, number, number, number]; // w, x, y, z
  [field: string]: unknown;
}
export interface BodyInfo {
  name: string;
  fixed: boolean;
  mass?: number; // [kg]
  center_of_mass?: Vector; // in the body frame [m]
  radius?: number; // smallest radius of curvature of its round shapes [m]
  shapes: ShapeInfo[];
  visuals?: ShapeInfo[]; // drawn in their place
}

// What is seen of a body.
export function drawnShapes(body: BodyInfo): ShapeInfo[] {
  return body.visuals ?? body.shapes;
}
export interface CoordinateInfo {
  label: string;
  unit: string;
}
export interface JointInfo {
  name: string;
  type: string;
  ends: {parent?: number; child?: number; parent_position?: Vector; child_position?: Vector}; // -1: the world
  q_start: number;
  v_start: number;
  q: CoordinateInfo[];
  v: CoordinateInfo[];
  force: CoordinateInfo[];
}
export interface SpringInfo {
  name: string;
  body_a: number;
  body_b: number;
  point_a: Vector;
  point_b: Vector;
}
export interface EnergyInfo {
  name: string;
  kind: 'stored' | 'dissipated' | 'supplied';
}
// A column of contacts that can be plotted, in the order of plots.
export interface ChannelInfo {
  column: string; // without "contact/"
  title: string;
  // How the patches of a pair act together, and what is true while they are apart.
  combine: 'sum' | 'max';
  apart: 0 | null;
}
export interface ParameterInfo {
  group: string;
  key: string;
  value: string;
  unit: string;
  origin: string;
  doc?: string;
}
export interface SettingInfo {
  path: string;
  key: string;
  value: number;
  unit: string;
  minimum?: number;
  maximum?: number;
  exclusive?: boolean;
  integer?: boolean;
  doc: string;
  group: string;
}
export interface PairSummary {
  body_a: string;
  body_b: string;
  rule: string;
  touches: number;
  in_contact: boolean;
  contact_since: number | null;
  sticking: boolean;
  peak_force: number;
  peak_time: number;
  peak_depth: number;
  damping: number;
  friction: number;
  viscous_friction: number;
}
export interface RealtimeSummary {
  step: number; // [s]
  steps: number;
  late: number;
  worst_lateness: number; // [s]
  worst_time: number; // [s]
  mean_load: number;
  worst_load: number;
  ready_after_due: {from: number; to: number | null; steps: number}[]; // [s], < 0 early
}
export interface Summary {
  status?: string;
  message?: string;
  advice?: string;
  method?: string;
  time_reached?: number;
  wall_time?: number;
  steps?: Record<string, number>;
  energy_at_start?: number;
  energy_residual?: number;
  energy_worst_residual?: number;
  energy_turnover?: number;
  contacts?: PairSummary[];
  realtime?: RealtimeSummary;
  notes?: string[];
}
export interface RunInfo {
  name: string;
  title: string;
  version: string;
  variant?: string;
  complete: boolean;
  description: string;
  scene: string;
  gravity: Vector;
  duration: number;
  bodies: BodyInfo[];
  joints: JointInfo[];
  springs: SpringInfo[];
  energies: EnergyInfo[];
  channels: ChannelInfo[];
  parameters: ParameterInfo[];
  warnings: string[];
  settings?: SettingInfo[];
  differences?: Record<string, number | null>;
  summary: Summary | null;
}
export interface PageInfo {
  kind: 'report' | 'live' | 'compare';
  program: string;
  runs: {info: RunInfo; chunk: Chunk}[];
}

// One patch of one pair, over its whole life: where its rows are.
export interface Contact {
  id: number;
  bodyA: number;
  bodyB: number;
  patch: number;
  copy: number; // several shapes of a body may have a patch of the same number
  name: string;
  samples: number[];
  rows: number[];
}
export interface Pair {
  id: number;
  bodyA: number;
  bodyB: number;
  name: string;
  contacts: Contact[];
}

export const kEventKinds = ['touch', 'lift', 'stick', 'slip'] as const;
export type EventKind = (typeof kEventKinds)[number];
export interface RunEvent {
  time: number;
  kind: EventKind;
  pair: string;
  bodyA: number;
  bodyB: number;
  patch: number;
  speed: number;
}

export class Run {
  info: RunInfo;
  readonly columns: Map<string, Column>;
  readonly contacts: Contact[] = [];
  readonly pairs: Pair[] = [];
  readonly events: RunEvent[] = [];
  private contactsOfKey = new Map<number, Contact[]>();
  private pairOfKey = new Map<string, Pair>();
  private contactOfRow: number[] = [];
  private indexedSamples = 0;

  constructor(info: RunInfo, columns: Map<string, Column>) {
    this.info = info;
    this.columns = columns;
    this.index();
  }

  append(columns: Map<string, Column>): void {
    for (const [name, column] of columns) {
      const own = this.columns.get(name);
      if (own) own.append(column);
      else this.columns.set(name, column);
    }
    this.index();
  }

  get time(): Float64Array {
    return (this.columns.get('time')?.component(0) ?? new Float64Array(0)) as Float64Array;
  }
  get numSamples(): number {
    return this.columns.get('time')?.rows ?? 0;
  }
  get endTime(): number {
    return this.numSamples ? this.time[this.numSamples - 1] : 0;
  }
  // Decimal digits that the page keeps of each number; 17 is all of them.
  get digits(): number {
    const type = this.columns.get('time')?.info.type ?? 'r64';
    return type === 'r64' ? 17 : Math.floor((Number(type.slice(1)) - 12) * Math.log10(2));
  }
  has(name: string): boolean {
    return (this.columns.get(name)?.rows ?? 0) > 0;
  }
  unit(name: string): string {
    return this.columns.get(name)?.info.unit ?? '';
  }

  bodySeries(column: string, body: number, component: number): ArrayLike<number> {
    const c = this.columns.get(`body/${column}`)!;
    return c.component(body * (c.info.width / this.info.bodies.length) + component);
  }

  sampleAt(time: number): number {
    return floorIndex(this.time, time);
  }

  // Rows of /contact that belong to a sample.
  rowsOf(sample: number): [number, number] {
    const start = this.columns.get('contact/row_start');
    if (!start || sample < 0 || sample + 1 >= start.rows) return [0, 0];
    return [start.at(sample), start.at(sample + 1)];
  }

  contactAt(row: number): Contact | undefined {
    return this.contacts[this.contactOfRow[row]];
  }

  bodyName(index: number): string {
    return this.info.bodies[index]?.name ?? 'world';
  }

  private index(): void {
    this.indexEvents();
    const start = this.columns.get('contact/row_start');
    if (!start) return;
    const [a, b, patch] = ['body_a', 'body_b', 'patch'].map((name) => this.columns.get(`contact/${name}`)!);
    for (; this.indexedSamples < this.numSamples && this.indexedSamples + 1 < start.rows; ++this.indexedSamples) {
      const [from, to] = this.rowsOf(this.indexedSamples);
      for (let row = from; row < to; ++row) {
        const contact = this.findContact(a.at(row), b.at(row), patch.at(row), this.indexedSamples);
        contact.samples.push(this.indexedSamples);
        contact.rows.push(row);
        this.contactOfRow[row] = contact.id;
      }
    }
  }

  // The contact of these names; when it has a row of this sample already, the next one that is called so.
  private findContact(bodyA: number, bodyB: number, patch: number, sample: number): Contact {
    const key = (bodyA * 0x10000 + bodyB) * 0x10000 + patch;
    let named = this.contactsOfKey.get(key);
    if (!named) this.contactsOfKey.set(key, (named = []));
    const free = named.find((contact) => contact.samples[contact.samples.length - 1] !== sample);
    if (free) return free;
    const pair = this.findPair(bodyA, bodyB);
    const copy = named.length;
    const contact: Contact = {
      id: this.contacts.length,
      bodyA,
      bodyB,
      patch,
      copy,
      samples: [],
      rows: [],
      name: `${pair.name}#${patch}${copy ? `.${copy}` : ''}`,
    };
    this.contacts.push(contact);
    named.push(contact);
    pair.contacts.push(contact);
    return contact;
  }

  private findPair(bodyA: number, bodyB: number): Pair {
    const key = `${bodyA}/${bodyB}`;
    let pair = this.pairOfKey.get(key);
    if (!pair) {
      pair = {
        id: this.pairs.length,
        bodyA,
        bodyB,
        name: `${this.bodyName(bodyA)}\u2013${this.bodyName(bodyB)}`,
        contacts: [],
      };
      this.pairs.push(pair);
      this.pairOfKey.set(key, pair);
    }
    return pair;
  }

  private indexEvents(): void {
    const time = this.columns.get('event/time');
    if (!time) return;
    const at = (name: string, row: number) => this.columns.get(`event/${name}`)!.at(row);
    for (let row = this.events.length; row < time.rows; ++row) {
      const bodyA = at('body_a', row),
        bodyB = at('body_b', row);
      // A contact shorter than the recording interval has no rows, but its pair must be there to be chosen.
      const pair = this.findPair(bodyA, bodyB);
      this.events.push({
        time: time.at(row),
        kind: kEventKinds[at('kind', row)] ?? 'touch',
        pair: pair.name,
        bodyA,
        bodyB,
        patch: at('patch', row),
        speed: at('normal_speed', row),
      });
    }
  }
}
