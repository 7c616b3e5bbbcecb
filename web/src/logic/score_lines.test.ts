import { describe, expect, it } from 'vitest';

import { proposal } from '../testing/round';
import { axisRange, beyond, closedNote, endsApart, present, weightsLine } from './score_lines';

const point = (round: number, total: number | null) => ({ round, total, safety: 0, efficiency: 0, admission: 0, scaling: 0, ours: true });

describe('lines of scores', () => {
  it('agents that are not in this build have none', () => {
    const scaling = proposal({ role: 'scaling', result: 'skipped: not in this build' });
    expect(present([proposal(), scaling])).toEqual(['safety', 'efficiency', 'admission']);
    expect(present([])).toHaveLength(4);
    expect(weightsLine('A x 1', present([scaling]))).toBe('Weights of the total: A x 1; D is not in this build, but such costs count.');
    expect(weightsLine('A x 1', present([]))).toBe('Weights of the total: A x 1.');
  });

  it('figures are not said again in fewer digits', () => {
    expect(closedNote({ total: -0.004, text: 'total 0.0 in round 9 (cut by a later action)' })).toBe('cut by a later action');
    expect(closedNote({ total: -0.004, text: 'total 0.0 in round 9' })).toBe('');
    expect(closedNote({ total: null, text: 'not known: no twin followed it' })).toBe('not known: no twin followed it');
  });

  it('one round that is far off does not flatten the others', () => {
    const usual = Array.from({ length: 40 }, (_, i) => -0.5 - (i % 5) / 10);
    const [low, high] = axisRange([...usual, -16, null]);
    expect([low, high]).toEqual([-1.8, 0]);
    expect(axisRange(usual)[0]).toBeCloseTo(-0.99);
    expect(beyond([point(40, -16), point(41, -0.5), point(42, null)], [low, high])).toEqual([{ round: 40, value: -16 }]);
  });

  it('the axis holds zero, and has an extent even where all is zero', () => {
    expect(axisRange([0, 0, null])).toEqual([-1, 1]);
    expect(axisRange([])).toEqual([-1, 1]);
    expect(axisRange([3])[0]).toBe(0);
  });

  it('lines that end at zero are not named', () => {
    expect([endsApart([-1, 0, null], [-1, 0]), endsApart([0, -0.5], [-1, 0]), endsApart([0, -0.001], [-1, 0]), endsApart([null], [-1, 0])]).toEqual([false, true, false, false]);
  });
});
