// The rounds of a run as the strip and the ribbon show them.
import { api } from '../api/client';
import type { Ribbon, RoundSummary, Strip, StripCell } from '../api/types';
import { missing, mostCells, nextRound, spanAt, type Search, type Span } from '../logic/search';

const fillMs = 300; // Rounds announced by the stream arrive within this time, and are not fetched.
const most = 20_000; // Cells kept; older ones are fetched again when needed.

export class Timeline {
  first = $state(1);
  newest = $state(0);
  cells = $state.raw<StripCell[]>([]);
  ribbon = $state.raw<Ribbon | null>(null);
  private ribbonPixels = 1200;
  private sinceRibbon = 0;
  private wanted: Span = { first: 1, last: 0 };
  private filling: ReturnType<typeof setTimeout> | undefined;
  private cleared = 0; // Answers to requests from before the last clearing belong to another run.

  clear(): void {
    this.cleared += 1;
    clearTimeout(this.filling);
    this.filling = undefined;
    this.first = 1;
    this.newest = 0;
    this.cells = [];
    this.ribbon = null;
  }

  /** Loads the rounds around one, or the newest; keeps those already there. */
  async load(run: string, around: number | undefined): Promise<void> {
    const from = around === undefined ? undefined : Math.max(1, around - 400);
    const to = around === undefined ? undefined : around + 400;
    const before = this.cleared;
    const strip = await api.strip(run, from, to);
    if (before === this.cleared) this.keep(strip);
  }

  private keep(strip: Strip): void {
    const cells = new Map(this.cells.map((cell) => [cell.round, cell]));
    for (const cell of strip.cells) cells.set(cell.round, cell);
    this.cells = [...cells.values()].sort((a, b) => a.round - b.round).slice(-most);
    this.first = Math.max(1, strip.first); // A run without rounds has no first one.
    this.newest = Math.max(this.newest, strip.newest);
  }

  /** Rounds come into view: those missed while the tab was hidden or showed the past are fetched soon. */
  want(run: string, span: Span): void {
    this.wanted = span;
    this.filling ??= setTimeout(() => {
      this.filling = undefined;
      void this.fill(run).catch(() => undefined);
    }, fillMs);
  }

  private async fill(run: string): Promise<void> {
    const gap = missing(this.cells, this.wanted);
    if (gap === null) return;
    const before = this.cleared;
    const strip = await api.strip(run, gap.first, Math.min(gap.last, gap.first + mostCells - 1));
    if (before === this.cleared) this.keep(strip);
  }

  async loadRibbon(run: string, pixels = this.ribbonPixels): Promise<void> {
    this.ribbonPixels = pixels;
    this.sinceRibbon = 0;
    this.ribbon = await api.ribbon(run, pixels);
  }

  /**
   * The next round of a kind; null: there is none. What is not here is fetched, one part at a time and not kept, so that
   * no run is too long. Gives up, with null, when it is no longer `wanted`.
   */
  async find(run: string, search: Search, wanted: () => boolean): Promise<number | null> {
    let { cells } = this;
    let { from } = search;
    while (wanted()) {
      const seen = nextRound(cells, { ...search, from }, { first: this.first, last: this.newest });
      if (seen === null) return null;
      if ('round' in seen) return seen.round;
      const span = spanAt(seen.unknown, search.direction);
      ({ cells } = await api.strip(run, span.first, Math.min(span.last, this.newest)));
      if (!cells.some((cell) => cell.round === seen.unknown)) throw new Error(`round ${seen.unknown} is not on the strip`);
      from = seen.unknown - search.direction;
    }
    return null;
  }

  has(round: number): boolean {
    return this.cells.some((cell) => cell.round === round);
  }

  /** The nearest readable rounds before and after one, among those known. */
  beside(round: number): { before: number | null; after: number | null } {
    const whole = this.cells.filter((cell) => cell.state === 'full' || cell.state === 'decisions');
    return {
      before: whole.findLast((cell) => cell.round < round)?.round ?? null,
      after: whole.find((cell) => cell.round > round)?.round ?? null,
    };
  }

  /** True when the ribbon should be fetched again. */
  append(summary: RoundSummary): boolean {
    const last = this.cells[this.cells.length - 1];
    if (last !== undefined && summary.round <= last.round) return false;
    const cell: StripCell = {
      round: summary.round,
      letter: summary.letter.toUpperCase(),
      overruled: summary.overruled,
      alarm: summary.alarm_raised,
      same: last !== undefined && summary.same,
      state: 'full',
    };
    this.cells = [...this.cells, cell].slice(-most);
    this.newest = summary.round;
    this.sinceRibbon += 1;
    const pixels = Math.max(1, Math.floor((this.newest - this.first) / this.ribbonPixels));
    const missed = last !== undefined && summary.round > last.round + 1;
    return missed || this.sinceRibbon >= Math.max(10, pixels);
  }
}
