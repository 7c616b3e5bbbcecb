// Ages and times. There is one clock, that of the run; a simulated run reads T+07:06.
import type { View } from './route';

/** "0.4s", "47s", "4m12s", "3h05m", "5d"; "?" when unknown. */
export function age(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '?';
  const s = Math.max(0, seconds);
  if (s < 9.95) return `${s.toFixed(1)}s`;
  if (s < 59.5) return `${Math.round(s)}s`;
  const whole = Math.round(s);
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  const minutes = Math.round(s / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
  return `${Math.round(s / 86400)}d`;
}

const two = (value: number): string => value.toString().padStart(2, '0');

/** "T+07:06", "T+1:02:03": seconds of a simulated run. */
export function simulated(seconds: number): string {
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `T+${hours}:${rest}` : `T+${rest}`;
}

/** "10:42:07", the clock part of a time with zone; any other text is left as it is. */
export function clock(at: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? at;
}

/** "10:42:07" for a moment on this machine. */
export function wall(milliseconds: number): string {
  const date = new Date(milliseconds);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export type Freshness = 'fresh' | 'ageing' | 'late';

/** An age is shown from half its limit on, and late beyond it. */
export function freshness(seconds: number | null, limit: number | null): Freshness {
  if (seconds === null || limit === null || limit <= 0) return 'fresh';
  if (seconds > limit) return 'late';
  return seconds >= limit / 2 ? 'ageing' : 'fresh';
}

/** What a view of a past round restricts itself to. */
export function knownThen(view: View): string {
  switch (view) {
    case 'learning': return 'Learning is shown as it is now: it has no rounds.';
    case 'run': return 'The run is shown as it is now, not as it was then.';
    case 'ask': return 'Answers come from the whole record: they may tell what came later.';
    default: return 'As it was known then; what was measured later says so.';
  }
}

/** The band over a past round: "Round 97, 4m12s before the newest (181)". */
export function band(round: number, newest: number, before_s: number | null): string {
  if (round >= newest) return `Round ${round}, the newest`;
  const distance = before_s === null ? `${newest - round} rounds` : age(before_s);
  return `Round ${round}, ${distance} before the newest (${newest})`;
}
