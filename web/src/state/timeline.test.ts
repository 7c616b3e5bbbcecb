import { afterEach, describe, expect, it, vi } from 'vitest';

import { api } from '../api/client';
import type { RoundSummary, StripCell } from '../api/types';
import { Timeline } from './timeline.svelte';

const alarms = new Set([462, 1270, 2109]);
const newest = 4_000;
const cellOf = (round: number): StripCell => ({ round, letter: '.', overruled: 0, alarm: alarms.has(round), same: true, state: 'full' });

/** The strip as the server gives it. */
const strip = vi.spyOn(api, 'strip');
function serve(): void {
  strip.mockImplementation(async (_run, from, to) => {
    const last = Math.min(to ?? newest, newest);
    const first = Math.max(from ?? 1, last - 1_999, 1);
    return { first: 1, newest, cells: Array.from({ length: last - first + 1 }, (_, i) => cellOf(first + i)) };
  });
}
afterEach(() => void strip.mockReset());

const always = (): boolean => true;

describe('the time line', () => {
  it('finds what lies beyond the rounds that it holds', async () => {
    serve();
    const time = new Timeline();
    await time.load('run', 462);
    expect(await time.find('run', { from: 462, direction: 1, what: 'event' }, always)).toBe(1270);
    expect(await time.find('run', { from: 2109, direction: 1, what: 'event' }, always)).toBeNull();
    expect(await time.find('run', { from: 462, direction: -1, what: 'event' }, always)).toBeNull();
  });

  it('passes over no gap between the parts that it holds', async () => {
    serve();
    const time = new Timeline();
    await time.load('run', 300);
    await time.load('run', 2400);
    expect(await time.find('run', { from: 2109, direction: -1, what: 'event' }, always)).toBe(1270);
    expect(await time.find('run', { from: 463, direction: 1, what: 'event' }, always)).toBe(1270);
  });

  it('asks one at a time, and no more when nobody waits', async () => {
    serve();
    const time = new Timeline();
    await time.load('run', 10);
    strip.mockClear();
    let waits = true;
    const looking = time.find('run', { from: 2109, direction: 1, what: 'event' }, () => waits);
    expect(strip).toHaveBeenCalledTimes(1);
    waits = false;
    expect(await looking).toBeNull();
    expect(strip).toHaveBeenCalledTimes(1);
  });

  it('fetches, once, what of a view it does not hold', async () => {
    serve();
    vi.useFakeTimers();
    const time = new Timeline();
    await time.load('run', 10);
    strip.mockClear();
    time.want('run', { first: 200, last: 300 });
    for (const last of [500, 501, 502]) time.want('run', { first: last - 200, last });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(strip.mock.calls).toEqual([['run', 411, 502]]);
    time.want('run', { first: 302, last: 502 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(strip).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });

  it('marks an alarm where it is raised, and not as long as it stands: as the strip of the server does', () => {
    const time = new Timeline();
    const summary = (round: number, raised: boolean): RoundSummary => ({
      round, at: '', t: 0, headline: '', reason: '', winner: null, letter: '.', overruled: 0, max_risk: null, max_risk_node: '',
      alarms: 1, alarm_raised: raised, alarm: 'no sample', stage: '', pace: '', stopped: false, same: true, cells: [], more: false, new_events: 0,
      status: 'running',
    });
    for (const round of [7, 8, 9]) time.append(summary(round, round === 7));
    expect(time.cells.map((cell) => cell.alarm)).toEqual([true, false, false]);
  });

  it('keeps nothing that was asked for another run', async () => {
    serve();
    const time = new Timeline();
    const loading = time.load('one', 300);
    time.clear();
    await loading;
    expect([time.cells.length, time.newest]).toEqual([0, 0]);
  });
});
