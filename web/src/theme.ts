// Colours. Series follow Okabe and Ito's palette (safe for the colour-blind) and differ in dash as well.

export interface Theme {
  dark: boolean;
  text: string;
  faint: string;
  grid: string;
  background: string;
  panel: string;
  accent: string;
  series: string[];
}

const kLight = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#555555', '#7b3fa0'];
const kDark = ['#56b4e9', '#f08a3c', '#2fc79a', '#e79ac5', '#e6b422', '#9ad0f5', '#bbbbbb', '#b892e0'];
export const kDashes: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 4], [1, 3], [10, 2, 2, 2, 2, 2]];

// Stick and slip also differ in shape wherever they are drawn.
export const kStick = {light: '#0072b2', dark: '#56b4e9'};
export const kSlip = {light: '#d55e00', dark: '#f08a3c'};

// Muted colours of bodies; fixed ones are grey.
export const kBodyColors = [0x7c9cc0, 0xc79a6b, 0x86b39b, 0xb58ab0, 0xc5b870, 0x8fb8c9, 0xb98a82, 0x9aa58a];

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen) return chosen === 'dark';
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const dark = isDark();
  return {
    dark,
    text: get('--text'),
    faint: get('--faint'),
    grid: get('--line'),
    background: get('--view'),
    panel: get('--panel'),
    accent: get('--accent'),
    series: dark ? kDark : kLight,
  };
}

// Paper is light, whatever the screen was before.
export function printInLight(onChange: () => void): void {
  const root = document.documentElement;
  let chosen: string | undefined;
  window.addEventListener('beforeprint', () => {
    chosen = root.dataset['theme'];
    root.dataset['theme'] = 'light';
    onChange();
  });
  window.addEventListener('afterprint', () => {
    if (chosen) root.dataset['theme'] = chosen;
    else delete root.dataset['theme'];
    onChange();
  });
}
