// Odds and factors in words.

/** "1 to 49". */
export function oddsText(odds: number | null): string {
  if (odds === null || !Number.isFinite(odds) || odds <= 0) return '?';
  return odds >= 1 ? `${trim(odds)} to 1` : `1 to ${trim(1 / odds)}`;
}

/** "x14", "x6.1", "x0.80". */
export function factorText(factor: number): string {
  if (!Number.isFinite(factor)) return 'x?';
  return `x${factor >= 10 ? Math.round(factor) : factor >= 1 ? factor.toFixed(1) : factor.toFixed(2)}`;
}

const trim = (value: number): string => (value >= 10 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1).replace(/\.0$/, ''));
