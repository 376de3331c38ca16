// The tabs that are read, not looked at: parameters with their origin, numbers of the run, events, the scene itself.

import {element} from './dom.ts';
import {formatCount, formatNumber, formatQuantity, unitText, words} from './format.ts';
import {variantLetter} from './panels.ts';
import type {Run, RunEvent} from './run.ts';

function table(className: string, head: string[], rows: (Node | string)[][]): HTMLTableElement {
  const body = element('tbody');
  for (const row of rows) body.append(element('tr', {}, ...row.map((cell) => element('td', {}, cell))));
  return element(
    'table',
    {class: className},
    element('thead', {}, element('tr', {}, ...head.map((h) => element('th', {scope: 'col'}, h)))),
    body,
  );
}

export function warningsOf(run: Run): string[] {
  const notes = [...run.info.warnings, ...(run.info.summary?.notes ?? [])];
  const summary = run.info.summary;
  if (summary?.status && summary.status !== 'done') {
    notes.unshift(
      `${summary.status} at ${formatNumber(summary.time_reached ?? 0)} s. ${summary.message ?? ''} ${summary.advice ?? ''}`.trim(),
    );
  } else if (!run.info.complete && !summary) {
    notes.unshift('the record ends early: the run was killed, or is still going on');
  }
  return [...new Set(notes)];
}

export function parametersView(run: Run): HTMLElement[] {
  const groups = new Map<string, HTMLTableElement>();
  const nodes: HTMLElement[] = [];
  const byGroup = new Map<string, typeof run.info.parameters>();
  for (const parameter of run.info.parameters) {
    byGroup.set(parameter.group, [...(byGroup.get(parameter.group) ?? []), parameter]);
  }
  for (const [group, parameters] of byGroup) {
    const rows = parameters.map((p) => {
      const key = element('span', {title: p.doc ?? ''}, p.key);
      return [
        key,
        element('span', {class: 'number'}, `${p.value} ${p.unit === '1' ? '' : unitText(p.unit)}`.trim()),
        element('span', {class: p.origin.startsWith('given') ? 'origin given' : 'origin'}, p.origin),
      ];
    });
    const made = table('parameters', ['key', 'value', 'origin'], rows);
    groups.set(group, made);
    nodes.push(element('h3', {}, group), made);
  }
  return nodes;
}

export function runView(run: Run): HTMLElement[] {
  const summary = run.info.summary;
  const nodes: HTMLElement[] = [];
  const warnings = warningsOf(run);
  if (warnings.length) {
    nodes.push(
      element('h3', {}, 'Warnings'),
      element('ul', {class: 'warnings'}, ...warnings.map((text) => element('li', {}, text))),
    );
  }
  if (summary) {
    const rows: (Node | string)[][] = [];
    const put = (name: string, value: string) => rows.push([name, element('span', {class: 'number'}, value)]);
    put('simulated', formatQuantity(summary.time_reached ?? run.endTime, 's'));
    if (summary.wall_time !== undefined) {
      put('wall time', formatQuantity(summary.wall_time, 's', 3));
      put(
        'speed',
        `${formatNumber((summary.time_reached ?? 0) / Math.max(summary.wall_time, 1e-9), 3)} \u00d7 real time`,
      );
    }
    for (const [name, value] of Object.entries(summary.steps ?? {})) put(words(name), formatCount(value));
    if (summary.energy_residual !== undefined) put('energy residual', formatQuantity(summary.energy_residual, 'J', 3));
    put('samples', formatCount(run.numSamples));
    put('digits', run.digits > 16 ? 'all, as recorded' : `${run.digits} in this page, all in the record`);
    put('program', `abut ${run.info.version}`);
    nodes.push(element('h3', {}, 'Numbers'), table('numbers', ['', ''], rows));
    if (summary.contacts?.length) {
      nodes.push(
        element('h3', {}, 'Contacts'),
        table(
          'contacts',
          ['pair', 'touches', 'peak force', 'at', 'deepest', 'lost'],
          summary.contacts.map((pair) => [
            `${pair.body_a}\u2013${pair.body_b}`,
            String(pair.touches),
            formatQuantity(pair.peak_force, 'N', 4),
            formatQuantity(pair.peak_time, 's', 4),
            formatQuantity(1000 * pair.peak_depth, 'mm', 3),
            formatQuantity(pair.damping + pair.friction + pair.viscous_friction, 'J', 3),
          ]),
        ),
      );
    }
  }
  nodes.push(element('h3', {}, 'Scene'), element('pre', {class: 'scene', tabindex: '0'}, run.info.scene));
  return nodes;
}

const kMostEvents = 1000;

export function eventsView(run: Run, onSeek: (event: RunEvent) => void): HTMLElement[] {
  const signs: Record<string, string> = {touch: '\u25bc', lift: '\u25b3', stick: '\u25a0', slip: '\u25cf'};
  const rows = run.events.slice(0, kMostEvents).map((event) => {
    const jump = element(
      'button',
      {type: 'button', class: 'link', title: 'go to this instant'},
      event.time.toPrecision(7),
    );
    jump.addEventListener('click', () => onSeek(event));
    return [
      element('span', {class: `sign ${event.kind}`}, signs[event.kind]),
      event.kind,
      jump,
      event.pair,
      formatNumber(event.speed, 4),
    ];
  });
  const nodes: HTMLElement[] = [];
  if (!rows.length) return [element('p', {class: 'hint'}, 'No contact began or ended.')];
  nodes.push(table('events', ['', 'event', 'time [s]', 'pair', 'gap rate [m/s]'], rows));
  if (run.events.length > kMostEvents) {
    nodes.push(
      element(
        'p',
        {class: 'hint'},
        `The first ${formatCount(kMostEvents)} of ${formatCount(run.events.length)}; the rest is in the record.`,
      ),
    );
  }
  return nodes;
}

// Quantities of the variants of a comparison, each with its deviation from the first.
export function compareView(runs: Run[]): HTMLElement[] {
  const keys = Object.keys(runs[0].info.differences ?? {});
  const head = ['variant', ...keys.map(words)];
  const rows = runs.map((run, index) => [
    element('span', {}, element('b', {}, `${variantLetter(index)} `), run.info.variant ?? run.info.name),
    ...keys.map((key) => {
      const value = run.info.differences?.[key],
        first = runs[0].info.differences?.[key];
      const cell = element(
        'span',
        {class: 'number'},
        value === null || value === undefined ? '\u2013' : formatNumber(value, 5),
      );
      if (index > 0 && typeof value === 'number' && typeof first === 'number' && first !== 0) {
        const change = 100 * (value / first - 1);
        cell.append(element('small', {class: 'change'}, `${change >= 0 ? '+' : '\u2212'}${formatNumber(Math.abs(change), 3)} %`));
      }
      return cell;
    }),
  ]);
  const failed = runs
    .filter((run) => run.info.summary?.status && run.info.summary.status !== 'done')
    .map((run) =>
      element(
        'li',
        {},
        `${run.info.variant ?? run.info.name}: ${run.info.summary?.message ?? run.info.summary?.status}`,
      ),
    );
  for (const warning of runs[0].info.warnings) {
    if (warning.startsWith('variant ')) failed.push(element('li', {}, warning));
  }
  return [
    element('div', {class: 'scroll-x'}, table('compare', head, rows)),
    ...(failed.length ? [element('ul', {class: 'warnings'}, ...failed)] : []),
  ];
}
