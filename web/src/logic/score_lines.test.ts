import { describe, expect, it } from 'vitest';

import { agents, proposal } from '../testing/round';
import { axisRange, beyond, closedNote, closedTotal, endsApart, laterTitle, present, totalLine, twinLine, weightsLine } from './score_lines';

const point = (round: number, total: number | null) => ({ round, total, by: {}, ours: true });

describe('lines of scores', () => {
  it('agents that are not in this build have none', () => {
    const scaling = proposal({ role: 'scaling', evidence: { ...proposal().evidence, what: '' } });
    const letters = (here: typeof agents): string => here.map((agent) => agent.letter).join('');
    expect(letters(present(agents, [proposal(), scaling]))).toBe('ABC');
    expect(letters(present(agents, []))).toBe('ABC');
    expect(letters(present(agents, [proposal({ role: 'scaling' })]))).toBe('ABCD'); // The build that recorded it had the agent.
    expect(weightsLine('A x 1', agents, present(agents, [scaling]))).toBe('Weights of the total: A x 1; D is not in this build, but such costs count.');
    expect(weightsLine('A x 1', agents, agents)).toBe('Weights of the total: A x 1.');
  });

  it('figures are not said again in fewer digits', () => {
    expect(closedNote({ total: -0.004, cut: true, text: 'total 0.0 in round 9', likely: '', left_out: '' })).toBe('cut by a later action');
    expect(closedNote({ total: -0.004, cut: false, text: 'total 0.0 in round 9', likely: '', left_out: '' })).toBe('');
    expect(closedNote({ total: 1.5, cut: false, text: '', likely: '80% between +0.5 and +2.0', left_out: 'energy: the twin does not model it' }))
      .toBe('80% between +0.5 and +2.0; left out: energy: the twin does not model it');
    expect(closedNote({ total: null, cut: true, text: 'not known: no twin followed it', likely: '', left_out: '' })).toBe('not known: no twin followed it');
  });

  it('what the run did not live to see is censored, not unknown', () => {
    expect(closedTotal({ state: 'censored', total: null })).toBe('not due');
    expect(closedTotal({ state: 'unknown', total: null })).toBe('?');
    expect(closedTotal({ state: 'measured', total: 1.25 })).toBe('+1.3');
    expect(laterTitle({ state: 'censored', closed_round: 1200 })).toBe('This action, censored');
    expect(laterTitle({ state: 'unknown', closed_round: 44 })).toBe('This action, measured later, round 44');
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

  it('a total of which too little was read is not known, and why', () => {
    expect(totalLine({ total: -12.34, total_missing: '', total_covered: 1, left_out: [] })).toBe('Total since the start: -12.3 pod-minutes.');
    expect(totalLine({ total: -12.34, total_missing: '', total_covered: 1, left_out: ['energy: no source measures the power of nodes'] }))
      .toBe('Total since the start: -12.3 pod-minutes. Left out: energy: no source measures the power of nodes.');
    expect(totalLine({ total: 0, total_missing: '', total_covered: 0.879, left_out: [] })).toBe('Total since the start: 0.0 pod-minutes, known from 87% of readings.');
    expect(totalLine({ total: null, total_missing: 'only 41% of its readings were there, 80% are needed', total_covered: 0.41, left_out: [] }))
      .toBe('Total since the start is not known: only 41% of its readings were there, 80% are needed.');
  });

  it('how far the twin is off is a median, and says so', () => {
    expect(twinLine({ twin_error: 3.14, twin_scores: 14 })).toBe('The twin was off by 3.1, the median of 14 scores.');
    expect(twinLine({ twin_error: 3.14, twin_scores: 1 })).toBe('The twin was off by 3.1 in the one score that tells.');
    expect(twinLine({ twin_error: null, twin_scores: 0 })).toBe('');
  });
});
