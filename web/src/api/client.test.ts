import { describe, expect, it } from 'vitest';

import { shown } from './client';

describe('answers', () => {
  it('hold no mark that turns text around, but names stay what they are', () => {
    expect(shown({ title: 'a\u202eb', lines: ['x\u2066y\n'], card: { name: 'a\u202eb', reason: '\u200f' }, names: ['\u202e'], n: 3, none: null, yes: true })).toEqual(
      { title: 'a\\u202eb', lines: ['x\\u2066y\n'], card: { name: 'a\u202eb', reason: '\\u200f' }, names: ['\u202e'], n: 3, none: null, yes: true },
    );
  });
});
