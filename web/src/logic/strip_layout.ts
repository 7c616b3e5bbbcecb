// The time strip: one cell per round, newest at the right; the height says how many were overruled.
import type { StripCell } from '../api/types';

export const stripHeight = 32;
export const ribbonHeight = 8;
const cellWidth = 8;

const heights = [20, 22, 26, 32] as const;

/** 4 px when idle, else 20 to 32 by the number of overruled proposals. */
export function heightOf(cell: Pick<StripCell, 'letter' | 'overruled'>): number {
  if (cell.letter === '.') return 4;
  return heights[Math.min(cell.overruled, heights.length - 1)] ?? 20;
}

export interface Window {
  first: number;
  last: number;
  cell: number; // Pixels per round.
}

/** The rounds that the strip shows: the newest, or those around the chosen one if it is further back. */
export function windowOf(width: number, first: number, newest: number, chosen: number): Window {
  const fit = Math.max(1, Math.floor(width / cellWidth));
  if (newest - first + 1 <= fit) return { first, last: newest, cell: cellWidth };
  let last = newest;
  if (chosen <= newest - fit) last = Math.min(newest, chosen + Math.floor(fit / 2));
  const start = Math.max(first, last - fit + 1);
  return { first: start, last: Math.min(newest, start + fit - 1), cell: cellWidth };
}

/** Whether the strip shows the whole run, so that the ribbon is not needed. */
export function showsAll(window: Window, first: number, newest: number): boolean {
  return window.first <= first && window.last >= newest;
}

/** The round under a pixel of the strip, which is filled from the right. */
export function roundAt(x: number, width: number, window: Window): number | null {
  const fromRight = Math.floor((width - x) / window.cell);
  const round = window.last - fromRight;
  return round >= window.first && round <= window.last ? round : null;
}

/** The left edge of a round's cell. */
export function cellLeft(round: number, width: number, window: Window): number {
  return width - (window.last - round + 1) * window.cell;
}

/** The round under a pixel of the ribbon. */
export function ribbonRound(x: number, width: number, first: number, newest: number): number {
  const share = Math.min(1, Math.max(0, x / Math.max(1, width)));
  return Math.round(first + share * (newest - first));
}
