import { describe, expect, it } from 'vitest';

import { baseAt } from './difference';

describe('whoever compares and moves on', () => {
  it('goes on comparing with the round before, or with the one that was chosen', () => {
    const before = { from: 15, round: 16, pinned: null };
    expect([baseAt(17, before), baseAt(15, before), baseAt(40, before)]).toEqual([16, 14, 39]);
    expect(baseAt(1, before)).toBe(15); // The first round has none before it: the comparison stays, the other way round.
    expect([17, 15, 1].map((to) => baseAt(to, { ...before, pinned: 15 }))).toEqual([15, 15, 15]);
    expect([17, 15].map((to) => baseAt(to, { from: 3, round: 16, pinned: null }))).toEqual([3, 3]);
    expect(baseAt(17, { from: 20, round: 16, pinned: null })).toBe(20);
  });
});
