import { describe, expect, it } from 'vitest';

import { gapsOf } from './chart_labels';

describe('gaps of a chart', () => {
  it('are where no line has a value', () => {
    expect(gapsOf([1, 2, 3, 4], [[1, 2, 3, 4]])).toEqual([]);
    expect(gapsOf([1, 2, 5, 6], [[1, null, null, 6], [1, null, null, null]])).toEqual([{ from: 2, to: 6 }]);
    expect(gapsOf([1, 2, 3], [[1, null, null]])).toEqual([{ from: 2, to: 3 }]);
    expect(gapsOf([1, 2, 3], [[1, null, 3], [1, 2, 3]])).toEqual([]);
    expect(gapsOf([], [])).toEqual([]);
  });
});
