// Which contact, body and joint the plots of a tab are about.

import type {ContactChoice} from './channels.ts';
import {element, picker} from './dom.ts';
import {variantLetter} from './panels.ts';
import type {Run} from './run.ts';
import {theme} from './theme.ts';

export interface PickerState {
  runs: Run[];
  choice: ContactChoice;
  body: number;
  joint: number;
}

export interface PickerHost {
  onContact(choice: ContactChoice): void;
  onBody(body: number): void;
  onJoint(joint: number): void;
}

export function makePickers(state: PickerState, tab: string, host: PickerHost): HTMLElement[] {
  const run = state.runs[0];
  const wants = (...tabs: string[]) => tabs.includes(tab);
  const options = (items: {name: string}[]) => items.map((item, i): [string, string] => [String(i), item.name]);
  const pickers: HTMLElement[] = [];
  if (run.pairs.length && wants('overview', 'contact', 'compare')) pickers.push(contactPicker(state, tab, host));
  if (wants('overview', 'body', 'compare')) {
    pickers.push(picker('body', options(run.info.bodies), String(state.body), (value) => host.onBody(Number(value))));
  }
  if (run.info.joints.length && wants('overview', 'joint')) {
    pickers.push(
      picker('joint', options(run.info.joints), String(state.joint), (value) => host.onJoint(Number(value))),
    );
  }
  if (wants('compare')) pickers.push(variantNames(state.runs));
  return pickers;
}

function contactPicker(state: PickerState, tab: string, host: PickerHost): HTMLElement {
  const run = state.runs[0];
  const options: [string, string][] = [];
  for (const pair of run.pairs) {
    options.push([`${pair.id}`, pair.contacts.length > 1 ? `${pair.name} (all)` : pair.name]);
    if (pair.contacts.length > 1 && tab !== 'compare') {
      for (const contact of pair.contacts) options.push([`${pair.id}/${contact.id}`, `\u2003${contact.name}`]);
    }
  }
  const {choice} = state;
  const now = choice ? `${choice.pair.id}${choice.contact ? `/${choice.contact.id}` : ''}` : '';
  return picker('contact', options, now, (value) => {
    const [pair, contact] = value.split('/').map(Number);
    host.onContact({pair: run.pairs[pair], contact: contact === undefined ? null : run.contacts[contact]});
  });
}

function variantNames(runs: Run[]): HTMLElement {
  const colors = theme().series;
  return element(
    'div',
    {class: 'variants'},
    ...runs.map((run, i) => {
      const name = element('b', {}, variantLetter(i));
      name.style.color = colors[i % colors.length];
      return element('span', {}, name, ` ${run.info.variant ?? run.info.name}`);
    }),
  );
}
