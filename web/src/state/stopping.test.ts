import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError, api } from '../api/client';
import { Stopping } from './stopping.svelte';

describe('stopping', () => {
  const stop = vi.spyOn(api, 'stop');
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    stop.mockReset();
    vi.useRealTimers();
  });

  it('takes two presses within five seconds', async () => {
    stop.mockResolvedValue('Stopped.');
    const stopping = new Stopping();
    expect([await stopping.press('a'), stopping.armed]).toEqual(['', 'a']);
    vi.advanceTimersByTime(5_000);
    expect(stopping.armed).toBe('');
    await stopping.press('a');
    expect(stop).not.toHaveBeenCalled();
    expect([await stopping.press('a'), stopping.armed]).toEqual(['Stopped.', '']);
    expect(stop).toHaveBeenCalledExactlyOnceWith('a');
  });

  it('armed for one run, arms another anew', async () => {
    const stopping = new Stopping();
    await stopping.press('a');
    await stopping.press('b');
    expect(stopping.armed).toBe('b');
    expect(stop).not.toHaveBeenCalled();
  });

  it('keeps what failed until the next press', async () => {
    stop.mockRejectedValue(new ApiError(500, 'The disk is full.', 'Make room.'));
    const stopping = new Stopping();
    await stopping.press('a');
    await stopping.press('a');
    vi.advanceTimersByTime(60_000);
    expect(stopping.trouble).toBe('a was not stopped: The disk is full. Make room. From a terminal: parley stop a');
    expect(stopping.sending).toBe('');
    await stopping.press('a');
    expect(stopping.trouble).toBe('');
  });
});
