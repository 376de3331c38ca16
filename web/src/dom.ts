// A little help to build elements; text is always text, never markup.

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children);
  return node;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no element #${id}`);
  return node as T;
}

export function button(
  label: string,
  title: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const node = element('button', {type: 'button', title, 'aria-label': title, ...attributes}, label);
  node.addEventListener('click', onClick);
  return node;
}

// Signs of the playback buttons, drawn so that no font has to have them.
const kIcons: Record<string, string> = {
  play: 'M5 3v14l12-7z',
  pause: 'M4 3h4v14H4zM12 3h4v14h-4z',
  previous: 'M3 3h3v14H3zM17 3v14L7 10z',
  next: 'M14 3h3v14h-3zM3 3v14l10-7z',
  back: 'M13 4v12l-8-6z',
  on: 'M7 4v12l8-6z',
  again: 'M10 3a7 7 0 1 1-6.6 4.7l1.9.6A5 5 0 1 0 10 5v3L5.5 4 10 0z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', kIcons[name]);
  svg.append(path);
  return svg;
}

export function iconButton(
  name: string,
  title: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const node = button('', title, onClick, attributes);
  node.append(icon(name));
  return node;
}

// A labelled choice of (value, text).
export function picker(
  label: string,
  options: [string, string][],
  value: string,
  onPick: (value: string) => void,
): HTMLElement {
  const nodes = options.map(([id, text]) => element('option', {value: id, selected: id === value}, text));
  const select = element('select', {id: `pick-${label}`, 'aria-label': label}, ...nodes);
  select.addEventListener('change', () => onPick(select.value));
  return element('label', {}, `${label} `, select);
}
