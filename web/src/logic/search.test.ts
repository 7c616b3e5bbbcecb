import { describe, expect, it } from 'vitest';

import type { StripCell } from '../api/types';
import { missing, mostCells, nextRound, spanAt, type Search } from './search';

const cell = (round: number, letter: string, overruled = 0, alarm = false, same = false): StripCell => ({
  round, letter, overruled, alarm, same, state: 'full',
});
const run = { first: 1, last: 7 };
const cells = [cell(1, '.'), cell(2, 'B'), cell(3, 'B', 0, false, true), cell(4, 'A', 2), cell(5, 'A', 2, false, true), cell(6, '.', 0, true), cell(7, '.', 0, true, true)];
const after = (from: number, what: Search['what']): Search => ({ from, direction: 1, what });
const before = (from: number, what: Search['what']): Search => ({ from, direction: -1, what });

describe('looking for a round', () => {
  it('finds the next change, override or alarm', () => {
    expect([1, 2].map((from) => nextRound(cells, after(from, 'change'), run))).toEqual([{ round: 2 }, { round: 4 }]);
    expect(nextRound(cells, before(7, 'change'), run)).toEqual({ round: 6 });
    expect([1, 4].map((from) => nextRound(cells, after(from, 'event'), run))).toEqual([{ round: 4 }, { round: 6 }]);
    expect(nextRound(cells, before(7, 'event'), run)).toEqual({ round: 6 });
    expect([nextRound(cells, after(6, 'event'), run), nextRound(cells, before(4, 'event'), run)]).toEqual([null, null]);
  });

  it('stops at a gap, and does not take it for a beginning', () => {
    const parts = cells.filter(({ round }) => round !== 3 && round !== 4);
    expect(nextRound(parts, after(2, 'event'), run)).toEqual({ unknown: 3 });
    expect(nextRound(parts, before(6, 'event'), run)).toEqual({ unknown: 5 });
    expect(nextRound(cells, after(6, 'event'), { first: 1, last: 4000 })).toEqual({ unknown: 8 });
  });

  it('passes over rounds that cannot be read', () => {
    const damaged = cells.map((each): StripCell => (each.round === 2 ? { ...each, state: 'damaged' } : each));
    expect(nextRound(damaged, after(1, 'change'), run)).toEqual({ round: 4 });
  });

  it('goes on with what the server gives at once', () => {
    expect(spanAt(500, 1)).toEqual({ first: 499, last: 499 + mostCells - 1 });
    expect(spanAt(5000, -1)).toEqual({ first: 5001 - mostCells, last: 5000 });
    expect(spanAt(1, 1).first).toBe(1);
  });

  it('knows what of a span is missing', () => {
    expect(missing(cells, run)).toBeNull();
    expect(missing(cells, { first: 5, last: 20 })).toEqual({ first: 8, last: 20 });
    expect(missing([cell(1, '.'), cell(9, '.')], { first: 1, last: 9 })).toEqual({ first: 2, last: 8 });
  });
});
