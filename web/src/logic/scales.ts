// Positions of values on their scales: risk in log-odds, because calibrated risks are small.

const least = 0.001;

/** 0 to 1 along the fixed risk axis from 0.001 to 0.999. */
export function riskPlace(risk: number): number {
  const held = Math.min(1 - least, Math.max(least, risk));
  const odds = (p: number): number => Math.log(p / (1 - p));
  return (odds(held) - odds(least)) / (odds(1 - least) - odds(least));
}

/** The risks labelled at the axis. */
export const riskTicks = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.99] as const;

const steps = [0.01, 0.05, 0.2, 0.5, 0.8] as const;

/** 0 to 5: the fill of a risk. */
export function riskStep(risk: number): number {
  return steps.filter((step) => risk >= step).length;
}

/** 0 to 1 along the scale of a proposal's evidence, for its value and its bound. */
export function evidencePlace(
  value: number,
  limit: number | null,
  scale: 'log_odds' | 'linear' | 'count',
): number {
  if (scale === 'log_odds') return riskPlace(value);
  if (scale === 'linear' && value <= 1 && (limit ?? 0) <= 1) return Math.min(1, Math.max(0, value));
  // Counts are unbounded: the scale ends at twice the bound or the value, whichever is more, rounded up.
  return Math.min(1, Math.max(0, value / countEnd(value, limit)));
}

/** The right end of a scale of counts: 1, 2 or 5 times a power of ten. */
export function countEnd(value: number, limit: number | null): number {
  const wanted = Math.max(value * 1.1, (limit ?? 0) * 2, 1);
  const decade = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((step) => step * decade).find((end) => end >= wanted) ?? wanted;
}
