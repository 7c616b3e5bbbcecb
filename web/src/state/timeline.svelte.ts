// The rounds of a run as the strip and the ribbon show them.
import { api } from '../api/client';
import type { Ribbon, RoundSummary, StripCell } from '../api/types';

const most = 20_000; // Cells that are kept; older ones are fetched again when looked at.

export class Timeline {
  first = $state(1);
  newest = $state(0);
  cells = $state.raw<StripCell[]>([]);
  ribbon = $state.raw<Ribbon | null>(null);
  private ribbonPixels = 1200;
  private sinceRibbon = 0;

  clear(): void {
    this.first = 1;
    this.newest = 0;
    this.cells = [];
    this.ribbon = null;
  }

  /** The rounds around one, or the newest; keeps those that are already there. */
  async load(run: string, around: number | undefined): Promise<void> {
    const from = around === undefined ? undefined : Math.max(1, around - 400);
    const to = around === undefined ? undefined : around + 400;
    const strip = await api.strip(run, from, to);
    const cells = new Map(this.cells.map((cell) => [cell.round, cell]));
    for (const cell of strip.cells) cells.set(cell.round, cell);
    this.cells = [...cells.values()].sort((a, b) => a.round - b.round).slice(-most);
    this.first = Math.max(1, strip.first); // A run without a round has no first one.
    this.newest = Math.max(this.newest, strip.newest);
  }

  async loadRibbon(run: string, pixels = this.ribbonPixels): Promise<void> {
    this.ribbonPixels = pixels;
    this.sinceRibbon = 0;
    this.ribbon = await api.ribbon(run, pixels);
  }

  /** Fetches rounds before those that are there; false: there are none. */
  async loadEarlier(run: string): Promise<boolean> {
    const oldest = this.cells[0]?.round ?? 0;
    if (oldest <= this.first || this.cells.length >= most) return false;
    await this.load(run, Math.max(this.first, oldest - 400));
    return (this.cells[0]?.round ?? 0) < oldest;
  }

  has(round: number): boolean {
    return this.cells.some((cell) => cell.round === round);
  }

  /** The nearest rounds before and after one that can be read, of those that are known. */
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
      alarm: summary.alarms > 0,
      same: last !== undefined && summary.same,
      state: 'full',
    };
    this.cells = [...this.cells, cell].slice(-most);
    this.newest = summary.round;
    this.sinceRibbon += 1;
    const pixels = Math.max(1, Math.floor((this.newest - this.first) / this.ribbonPixels));
    return this.sinceRibbon >= Math.max(10, pixels);
  }
}
