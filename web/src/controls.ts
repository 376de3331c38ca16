// Controls that lie over the 3-D view, and the keyboard.

import {Vector3} from 'three';
import {button, byId, element} from './dom.ts';
import type {View3D, ViewOptions} from './view3d.ts';

export interface ViewControlsHost {
  hasGhosts: boolean;
  hasTorques: boolean;
  bodyToFollow(): number;
  onFit(): void;
  onChange(): void;
}

export function makeViewControls(view: View3D, host: ViewControlsHost): void {
  const bar = byId('view-controls');
  if (window.innerWidth <= 860) bar.closest('details')!.open = false;
  const toggles: Exclude<keyof ViewOptions, 'arrowScale'>[] = ['points', 'normals', 'forces'];
  if (host.hasTorques) toggles.push('torques');
  toggles.push('patches', 'paths');
  if (host.hasGhosts) toggles.push('ghosts');
  for (const key of toggles) {
    const box = element('input', {type: 'checkbox', id: `show-${key}`});
    box.checked = view.options[key];
    box.addEventListener('change', () => {
      view.options[key] = box.checked;
      host.onChange();
    });
    bar.append(element('label', {}, box, key));
  }
  bar.append(makeScale(view, host));
  makeLook(view, host);
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
