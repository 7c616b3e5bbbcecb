// Quantities as Kubernetes writes them: 250m, 1.5Gi.
import { count, percent } from './format';
import { age } from './ages';

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const;

/** "399Mi", "1.5Gi". */
export function bytes(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  let [size, step] = [Math.abs(value), 0];
  while (size >= 1024 && step < binary.length - 1) [size, step] = [size / 1024, step + 1];
  const text = size >= 100 || Number.isInteger(size) ? Math.round(size).toString() : size.toPrecision(3).replace(/\.?0+$/, '');
  return `${value < 0 ? '-' : ''}${text}${binary[step] ?? ''}`;
}

/** "250m", "3", "2.6": from thousandths of a core. */
export function cores(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  return value % 1000 === 0 ? count(value / 1000) : `${Math.round(value)}m`;
}

/** A value with the unit that the server names. */
export function unitText(value: number | null, unit: string): string {
  if (value === null || !Number.isFinite(value)) return '?';
  switch (unit) {
    case 'share': return percent(value);
    case 'bytes': return bytes(value);
    case 'm':
    case 'millicores': return cores(value);
    case 's': return age(value);
    case 'count':
    case 'pods':
    case '': return Number.isInteger(value) ? count(value) : value.toFixed(2);
    default: return `${Number.isInteger(value) ? count(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ${unit}`;
  }
}
