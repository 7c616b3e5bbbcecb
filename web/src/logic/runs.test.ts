import { describe, expect, it } from 'vitest';

import { runLabel } from './runs';

describe('the list of runs', () => {
  const card = (name: string, title: string, status: 'running' | 'complete' = 'running') => ({ name, title, status });

  it('tells runs of the same title apart by their folders', () => {
    const all = [card('tour-7', 'tour, seed 7'), card('tour-again', 'tour, seed 7', 'complete'), card('calm-7', 'calm, seed 7')];
    expect(all.map((one) => runLabel(one, all))).toEqual(['tour-7: tour, seed 7', 'tour-again: tour, seed 7, complete', 'calm, seed 7']);
  });

  it('a run without a title is called by its folder, once', () => {
    const all = [card('a', ''), card('b', '')];
    expect(all.map((one) => runLabel(one, all))).toEqual(['a', 'b']);
  });
});
