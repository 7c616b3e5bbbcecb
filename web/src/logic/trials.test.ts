import { describe, expect, it } from 'vitest';

import { bestSoFar, outcomes, setting, trialValue } from './trials';

const trial = (value: number | null, state = 'complete'): { value: number | null; state: string } => ({ value, state });

describe('trials', () => {
  it('get better downwards where a cost is tuned, upwards where a gain is', () => {
    const trials = [trial(null, 'running'), trial(5), trial(7), trial(3), trial(4)];
    expect(bestSoFar(trials, false)).toEqual([null, 5, 5, 3, 3]);
    expect(bestSoFar(trials, true)).toEqual([null, 5, 7, 7, 7]);
  });

  it('that were given up are not the best', () => {
    expect(bestSoFar([trial(5), trial(1, 'pruned'), trial(2, 'fail')], false)).toEqual([5, 5, 5]);
    expect(outcomes([trial(5), trial(1, 'pruned'), trial(2, 'fail'), trial(null, 'running')])).toEqual([5, null, null, null]);
  });

  it('write their values in one way', () => {
    expect([trialValue(41.23456), trialValue(-2), trialValue(null)]).toEqual(['41.235', '-2.000', '?']);
    expect([setting('0.25000000000000006'), setting('true'), setting('12'), setting('1e-7'), setting('')]).toEqual(['0.25', 'true', '12', '1e-7', '']);
  });
});
