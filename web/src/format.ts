// Numbers and units as the page shows them.

export function formatNumber(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '\u2013' : value > 0 ? '\u221e' : '\u2212\u221e';
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  let text: string;
  if (magnitude >= 1e-4 && magnitude < 1e7) {
    text = value.toPrecision(digits);
    if (text.includes('e')) text = String(Number(text));
    if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  } else {
    text = value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e');
  }
  return text.replace('-', '\u2212').replace('e-', 'e\u2212');
}

export function formatQuantity(value: number, unit: string, digits = 6): string {
  const text = formatNumber(value, digits);
  return unit && unit !== '1' ? `${text} ${unitText(unit)}` : text;
}

// "kg m^2" -> "kg m\u00b2", "N/m^1.5" -> "N/m^1.5" (a power that has no sign of its own stays as it is).
export function unitText(unit: string): string {
  const powers: Record<string, string> = {'2': '\u00b2', '3': '\u00b3'};
  return unit.replace(/\^([23])(?![.\d])/g, (_, power: string) => powers[power]).replace(/(\w) (\w)/g, '$1\u00b7$2');
}

export function formatTime(seconds: number): string {
  return `${seconds.toFixed(Math.abs(seconds) < 100 ? 4 : 3)} s`;
}

export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
}

export function words(name: string): string {
  return name.replace(/_/g, ' ');
}
