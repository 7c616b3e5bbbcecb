// Searches for a round along the cells of the strip, of which the page holds only parts.
import type { StripCell } from '../api/types';

export interface Search {
  from: number;
  direction: 1 | -1;
  what: 'change' | 'event'; // A change of decision; an alarm or override.
}

export interface Span {
  first: number;
  last: number;
}

/** The most cells that the server returns at once. */
export const mostCells = 2_000;

/** Found; or the round at which the search is stuck, since it or the one before is not known; or neither, at the end of the run. */
export type Seen = { round: number } | { unknown: number } | null;

export function nextRound(cells: readonly StripCell[], search: Search, run: Span): Seen {
  const known = new Map(cells.map((cell) => [cell.round, cell]));
  const { direction, what } = search;
  for (let round = search.from + direction; round >= run.first && round <= run.last; round += direction) {
    const cell = known.get(round);
    const before = known.get(round - 1);
    if (cell === undefined || (before === undefined && round > run.first)) return { unknown: round };
    if (cell.state !== 'full' && cell.state !== 'decisions') continue; // What was decided in it is not known.
    if (what === 'change' ? !cell.same : begins(cell, before)) return { round };
  }
  return null;
}

function begins(cell: StripCell, before: StripCell | undefined): boolean {
  return (cell.alarm && before?.alarm !== true) || (cell.overruled > 0 && before?.letter !== cell.letter);
}

/** The cells to fetch so that a search can continue at a round: it, the one before, and those that follow in its direction. */
export function spanAt(round: number, direction: 1 | -1): Span {
  return direction > 0
    ? { first: Math.max(1, round - 1), last: round + mostCells - 2 }
    : { first: Math.max(1, round - mostCells + 1), last: round };
}

/** The first and last round of a span that is missing in the cells; null: none is. */
export function missing(cells: readonly StripCell[], span: Span): Span | null {
  const known = new Set(cells.map((cell) => cell.round));
  let { first, last } = span;
  while (first <= last && known.has(first)) first += 1;
  while (first <= last && known.has(last)) last -= 1;
  return first <= last ? { first, last } : null;
}
