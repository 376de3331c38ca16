// Controls that lie over the 3-D view, and the keyboard.

import {Vector3} from 'three';
import {button, byId, element} from './dom.ts';
import {formatQuantity} from './format.ts';
import {niceNumber} from './view3d.ts';
import type {View3D, ViewOptions} from './view3d.ts';

export interface ViewControlsHost {
  hasGhosts: boolean;
  hasTorques: boolean;
  bodyToFollow(): number;
  onFit(): void;
  onChange(): void;
}

const kTitles: Record<Exclude<keyof ViewOptions, 'arrowScale'>, string> = {
  points: 'contact points: a cube sticks, a ball slips',
  normals: 'contact normals, from the second body into the first',
  forces: 'force on the first body of the pair',
  torques: 'torque on the first body of the pair: two heads',
  patches: 'where the surfaces meet: the rim of the overlap, or the patch of Hertz about a point',
  paths: 'ways of the bodies',
  ghosts: 'the other variants, as ghosts',
  glass: 'see through what stands still',
};

export function makeViewControls(view: View3D, host: ViewControlsHost): void {
  const bar = byId('view-controls');
  if (window.innerWidth <= 860) bar.closest('details')!.open = false;
  const toggles: Exclude<keyof ViewOptions, 'arrowScale'>[] = ['points', 'normals', 'forces'];
  if (host.hasTorques) toggles.push('torques');
  toggles.push('patches', 'paths', 'glass');
  if (host.hasGhosts) toggles.push('ghosts');
  for (const key of toggles) {
    const box = element('input', {type: 'checkbox', id: `show-${key}`});
    box.checked = view.options[key];
    box.addEventListener('change', () => {
      view.options[key] = box.checked;
      box.dataset['isChosen'] = 'true';
      host.onChange();
    });
    bar.append(element('label', {title: kTitles[key]}, box, key));
  }
  bar.append(makeScale(view, host));
  makeLook(view, host);
}

// The key: what a drawn arrow stands for, as a round number.
export function showArrowKey(view: View3D, hasTorques: boolean): void {
  const key = byId('arrow-key');
  const parts: [string, number, string, string][] = [['force', view.arrowsOf(1).force, 'N', view.options.forces ? '' : 'off']];
  if (hasTorques) parts.push(['torque', view.arrowsOf(1).torque, 'N m', view.options.torques ? '' : 'off']);
  const texts = parts.map(([, perPixel, unit]) => {
    const value = niceNumber(48 * perPixel);
    return {value, pixels: Math.round(value / perPixel), text: formatQuantity(value, unit, 3)};
  });
  const now = texts.map((t) => `${t.pixels}/${t.text}`).join() + parts.map((p) => p[3]).join();
  if (key.dataset['now'] === now) return;
  key.dataset['now'] = now;
  const over = `up to ${formatQuantity(view.units.force, 'N', 3)}${
    hasTorques ? ` and ${formatQuantity(view.units.torque, 'N m', 3)}` : ''
  } arrows are to scale; longer ones (with a collar) by their logarithm`;
  key.title = over;
  key.replaceChildren(
    ...parts.flatMap(([name, , , off], i) => {
      if (off) return [];
      const bar = element('span', {class: `arrow ${name}`, 'aria-hidden': 'true'});
      bar.style.width = `${texts[i].pixels}px`;
      return [element('span', {class: 'arrow-entry'}, bar, ` ${name} ${texts[i].text}`)];
    }),
  );
}

// From a hundredth to a hundred times.
function makeScale(view: View3D, host: ViewControlsHost): HTMLElement {
  const range = {type: 'range', min: '-2', max: '2', step: '0.05', value: '0', id: 'arrow-scale'};
  const scale = element('input', {...range, 'aria-label': 'length of the arrows'});
  scale.addEventListener('input', () => {
    view.options.arrowScale = 10 ** Number(scale.value);
    host.onChange();
  });
  return element('label', {class: 'scale', title: 'length of the arrows'}, 'arrows', scale);
}

function makeLook(view: View3D, host: ViewControlsHost): void {
  const follow = element('input', {type: 'checkbox', id: 'follow-body'});
  follow.addEventListener('change', () => {
    view.follow = follow.checked ? host.bodyToFollow() : -1;
    host.onChange();
  });
  const from = (x: number, y: number, z: number) => () => {
    view.turn(new Vector3(x, y, z));
    host.onChange();
  };
  // A little off the axis: straight up is no direction for a camera whose up is z.
  byId('look').append(
    button('fit', 'show everything (f)', () => host.onFit()),
    button('front', 'look along y', from(0, -1, 0.0001)),
    button('side', 'look along x', from(1, 0, 0.0001)),
    button('top', 'look down', from(0, -0.0001, 1)),
    element('label', {}, follow, 'follow'),
  );
}

// Keys that no field or button wants for itself. `act` says whether it knew the key.
export function listenToKeys(act: (key: string, isShifted: boolean) => boolean, moveTab: (by: number) => void): void {
  window.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches('input[type=text], select, textarea')) return;
    const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (target.getAttribute('role') === 'tab' && isArrow) {
      moveTab(event.key === 'ArrowRight' ? 1 : -1);
      event.preventDefault();
      return;
    }
    if (target.matches('input[type=range]') && event.key !== ' ') return;
    if (event.key === ' ' && target.matches('button, input, summary')) return;
    if (act(event.key, event.shiftKey)) event.preventDefault();
  });
}

// The camera, for those who have no mouse at hand.
export function lookKeys(view: View3D, onChange: () => void): Record<string, () => void> {
  const look = (azimuth: number, elevation: number, factor?: number) => () => {
    view.orbit(azimuth, elevation, factor);
    onChange();
  };
  const angle = Math.PI / 24;
  return {
    j: look(-angle, 0),
    l: look(angle, 0),
    i: look(0, angle),
    k: look(0, -angle),
    u: look(0, 0, 0.85),
    o: look(0, 0, 1 / 0.85),
  };
}
