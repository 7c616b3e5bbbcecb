import { describe, expect, it } from 'vitest';

import { beside, bound, cost, costs, count, counted, listed, milliseconds, percent, reading, share, signed } from './format';

describe('figures', () => {
  it.each([
    [null, '?'], [0, '0'], [5000, '5,000'], [1234567, '1,234,567'], [-1200, '-1,200'], [-0.2, '0'], [Number.NaN, '?'],
  ])('counts %s as %s', (value, text) => expect(count(value)).toBe(text));

  it.each([
    [0.86, '0.86'], [0.004, '<0.01'], [0.005, '0.01'], [0, '<0.01'], [1, '1.00'], [null, '?'],
  ])('writes the share %s as %s, never as 0.00', (value, text) => expect(share(value)).toBe(text));

  it.each([
    [0.86, 0.25, '0.86', '0.25'],
    [0.829, 0.83, '0.829', '0.830'],
    [0.8301, 0.83, '0.8301', '0.8300'],
    [0.002, 0.03, '<0.01', '0.03'],
    [0.021, 0.0214, '0.0210', '0.0214'],
    [0.5, null, '0.50', 'never'],
    [0.5, 1.2, '0.50', 'never'],
    [null, 0.2, '?', '0.20'],
  ])('keeps the order of %s and its bound %s', (value, limit, a, b) => expect(beside(value, limit)).toEqual([a, b]));

  it('a limit that is not there is never reached', () => {
    expect(bound(null)).toBe('never');
    expect(bound(0.25)).toBe('0.25');
  });

  it.each([
    [7.8, '+7.8'], [-0.6, '-0.6'], [0, '0.0'], [-0, '0.0'], [0.012, '+0.012'], [-0.0001, '0.0'], [null, '?'],
  ])('signs the score %s as %s', (value, text) => expect(signed(value)).toBe(text));

  it('writes costs, percents and times', () => {
    expect([cost(0.004), cost(0.0001), cost(0.05)]).toEqual(['0.004', '0.0', '0.1']);
    expect([cost(41.26), cost(null), percent(0.713), percent(null)]).toEqual(['41.3', '?', '71%', '?']);
    expect([milliseconds(0.4), milliseconds(12), milliseconds(1200), milliseconds(null)]).toEqual(['0.4 ms', '12 ms', '1,200 ms', '?']);
  });

  it.each([
    [41.3, 12, '41.3', '12.0'], [0.004, 0.04, '0.004', '0.040'], [0.0041, 0.0042, '0.0041', '0.0042'], [0.01, 0.3, '0.010', '0.3'], [0, 0, '0.0', '0.0'],
  ])('tells the costs %s and %s apart', (left, right, a, b) => expect(costs(left, right)).toEqual([a, b]));

  it('marks readings by how far they can be trusted', () => {
    const read = (state: string, value: number | null = 182) => ({ value, age_s: 1, state, source: '', why: '' }) as never;
    expect(reading(read('ok'), count)).toBe('182');
    expect(reading(read('late'), count)).toBe('182');
    expect(reading(read('estimated'), count)).toBe('~182');
    expect(reading(read('assumed'), count)).toBe('=182');
    expect(reading(read('missing'), count)).toBe('?');
    expect(reading(read('ok', null), count)).toBe('?');
    expect(reading(read('not_applicable'), count)).toBe('-');
  });

  it('counts and lists in words', () => {
    expect([counted(1, 'pod'), counted(12, 'pod'), counted(0, 'pod')]).toEqual(['1 pod', '12 pods', '0 pods']);
    expect([listed([]), listed(['C']), listed(['C', 'B']), listed(['C', 'D', 'B'])]).toEqual(['', 'C', 'C and B', 'C, D and B']);
  });
});
