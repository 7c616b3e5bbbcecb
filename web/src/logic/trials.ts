// The history of a tuner: what counts is the best so far.
import type { Trial } from '../api/types';

/** Of complete trials; a pruned one says nothing about the whole. */
export function bestSoFar(trials: readonly Pick<Trial, 'value' | 'state'>[], maximizes: boolean): (number | null)[] {
  let best: number | null = null;
  return trials.map(({ value, state }) => {
    if (value !== null && state === 'complete' && (best === null || (maximizes ? value > best : value < best))) best = value;
    return best;
  });
}

/** The value of each trial; a pruned one has none, whatever it had reached. */
export const outcomes = (trials: readonly Pick<Trial, 'value' | 'state'>[]): (number | null)[] =>
  trials.map(({ value, state }) => (state === 'complete' ? value : null));

/** A value of a trial, as in every sentence about it. */
export const trialValue = (value: number | null): string => (value === null ? '?' : value.toFixed(3));

/** "0.25" for 0.25000000000000006; any other text is left as it is. */
export function setting(text: string): string {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? text : Number(value.toPrecision(4)).toString();
}
