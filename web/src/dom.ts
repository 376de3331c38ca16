// A little help to build elements; text is always text, never markup.

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {},
                                                               ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
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

export function button(label: string, title: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const node = element('button', {type: 'button', title, 'aria-label': title, ...attributes}, label);
  node.addEventListener('click', onClick);
  return node;
}
