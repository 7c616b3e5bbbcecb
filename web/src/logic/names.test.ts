import { describe, expect, it } from 'vitest';

import { cellLabel, cut, halves, longest, visible } from './names';

describe('names', () => {
  it('are cut in the middle and keep their ends', () => {
    expect(cut('shop/checkout-web-7f9c4', 19)).toBe('shop/check...-7f9c4');
    expect(cut('node-07', 19)).toBe('node-07');
    expect(cut('abcdefghij', 5)).toBe('a...j');
  });

  it('together, both halves are the whole name', () => {
    for (const name of ['node-07', 'shop/checkout-web-7f9c4', 'x'.repeat(300), 'a\u{1F600}'.repeat(20)]) {
      expect(halves(name).join('')).toBe(name);
    }
  });

  it('the end stays, in short names too', () => {
    expect(halves('prod-node-09')).toEqual(['prod-n', 'ode-09']);
    expect(halves('node-07')).toEqual(['node', '-07']);
    expect(halves('gke-prod-eu-default-pool-7f9c4d2a-03')[1]).toBe('d2a-03');
    expect([halves('a'), halves('')]).toEqual([['a', ''], ['', '']]);
  });

  it('the longest counts letters, not bytes', () => {
    expect([longest([]), longest(['a', '\u{1F600}\u{1F600}'])]).toEqual([0, 2]);
  });

  it('names that read from right to left are not cut in two', () => {
    expect(halves('\u05d0'.repeat(40))[1]).toBe('');
  });

  it('what cannot be seen is written out', () => {
    expect(visible('a\u202eb\u200bc\u0000')).toBe('a\\u202eb\\u200bc\\u0000');
    expect(visible('node-07')).toBe('node-07');
  });

  it('cells carry the digits at the end', () => {
    expect([cellLabel('node-07'), cellLabel('ip-10-0-3-141'), cellLabel('gateway'), cellLabel('')]).toEqual(['07', '141', 'ay', '']);
  });
});
