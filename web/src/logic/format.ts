// Figures as people read them. Unknown is `?`, does not apply is `-`, and neither is ever zero.
import type { Reading } from '../api/types';

const groups = (whole: string): string => whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** "5,000"; "?" when unknown. */
export function count(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  const text = groups(Math.abs(Math.round(value)).toString());
  return value < 0 && Math.round(value) !== 0 ? `-${text}` : text;
}

/** A risk or a share from 0 to 1: two decimals, "<0.01", never "0.00". */
export function share(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  if (value < 0.005) return '<0.01';
  return value.toFixed(2);
}

/** A value and its bound with as many digits as are needed to show which is larger: 0.829, 0.83. */
export function beside(value: number | null, limit: number | null): [string, string] {
  if (value === null || limit === null || limit > 1) return [share(value), bound(limit)];
  for (let digits = 2; digits <= 6; digits += 1) {
    const [a, b] = [value.toFixed(digits), limit.toFixed(digits)];
    if (Math.sign(Number(a) - Number(b)) !== Math.sign(value - limit)) continue;
    if (digits === 2) return [share(value), share(limit)];
    return [a, b];
  }
  return [value.toString(), limit.toString()];
}

/** A limit; "never" if there is none or it is above 1. */
export function bound(limit: number | null): string {
  return limit === null || limit > 1 ? 'never' : share(limit);
}

/** "7.8", "0.004": pod-minutes without a sign, with more digits for small values; as the server writes them. */
export function magnitude(value: number): string {
  const size = Math.abs(value);
  const text = size.toFixed(size < 0.05 ? 3 : 1);
  return Number(text) === 0 ? '0.0' : text;
}

/** "+7.8": what was earned, always with its sign. */
export function signed(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  const text = magnitude(value);
  if (text === '0.0') return text;
  return `${value < 0 ? '-' : '+'}${text}`;
}

/** "41.3": a cost in pod-minutes. */
export function cost(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '?' : magnitude(value);
}

/** Two costs with as many digits as are needed to tell them apart: "0.004", "0.012". */
export function costs(left: number, right: number): [string, string] {
  const short: [string, string] = [cost(left), cost(right)];
  if (left === right || short[0] !== short[1]) return short;
  for (let digits = 2; digits < 6; digits += 1) {
    const [a, b] = [left.toFixed(digits), right.toFixed(digits)];
    if (a !== b) return [a, b];
  }
  return short;
}

/** "71%". */
export function percent(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '?' : `${Math.round(value * 100)}%`;
}

/** "9 ms", "0.4 ms"; "?" when not measured. */
export function milliseconds(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  return value < 10 ? `${value.toFixed(1)} ms` : `${count(value)} ms`;
}

/** A reading as text; marks say how far to trust it. */
export function reading(read: Reading, show: (value: number | null) => string): string {
  if (read.state === 'not_applicable') return '-';
  if (read.state === 'missing' || read.value === null) return '?';
  const text = show(read.value);
  if (read.state === 'estimated') return `~${text}`;
  if (read.state === 'assumed') return `=${text}`;
  return text;
}

/** A number of evidence on its own scale. */
export function figure(value: number | null, scale: 'log_odds' | 'linear' | 'count'): string {
  if (value === null) return '?';
  if (scale === 'count') return count(value);
  return share(value);
}

/** "1 pod", "12 pods". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** "C", "C and B", "C, D and B". */
export function listed(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1] ?? ''}`;
}
