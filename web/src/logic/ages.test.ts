import { describe, expect, it } from 'vitest';

import { age, band, clock, freshness, knownThen, simulated } from './ages';

describe('ages', () => {
  it.each([
    [0.4, '0.4s'], [9.94, '9.9s'], [9.96, '10s'], [47, '47s'], [59.6, '1m00s'], [252, '4m12s'], [3599.6, '1h00m'],
    [11_100, '3h05m'], [172_700, '47h58m'], [432_000, '5d'], [null, '?'], [-3, '0.0s'],
  ])('%s seconds read %s', (seconds, text) => expect(age(seconds)).toBe(text));

  it('simulated time counts from the start', () => {
    expect([simulated(426), simulated(3723)]).toEqual(['T+07:06', 'T+1:02:03']);
  });

  it('shows the clock of a time with zone, and leaves others alone', () => {
    expect([clock('2026-11-15T10:42:07+01:00'), clock('T+07:06')]).toEqual(['10:42:07', 'T+07:06']);
  });

  it.each([
    [29, 60, 'fresh'], [30, 60, 'ageing'], [60, 60, 'ageing'], [60.1, 60, 'late'], [null, 60, 'fresh'], [90, 0, 'fresh'],
  ])('an age of %s under a limit of %s is %s', (seconds, limit, word) => expect(freshness(seconds, limit)).toBe(word));

  it('says how far back a round is', () => {
    expect(band(97, 181, 252)).toBe('Round 97, 4m12s before the newest (181)');
    expect(band(97, 181, null)).toBe('Round 97, 84 rounds before the newest (181)');
    expect(band(181, 181, 0)).toBe('Round 181, the newest');
  });

  it('claims no more of a past round than is so', () => {
    for (const view of ['round', 'nodes', 'workloads', 'scores', 'events'] as const) expect(knownThen(view)).toMatch(/^As it was known then;/);
    expect(knownThen('ask')).toMatch(/from the whole record/);
    expect(knownThen('learning')).toMatch(/as it is now/);
    expect(knownThen('run')).toMatch(/as it is now/);
  });
});
