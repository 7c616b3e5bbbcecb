// Rows of a long list, fetched as they are scrolled to: 5,000 nodes are never all in the page.
import { ApiError } from '../api/client';
import type { Page } from '../api/types';

const size = 100;

export class Paged<Row> {
  rows = $state.raw<Row[]>([]);
  total = $state<number | null>(null);
  trouble = $state('');
  busy = $state(false);
  private asked = 0;

  constructor(private readonly fetch: (offset: number, limit: number) => Promise<Page<Row>>) {}

  async reload(): Promise<void> {
    const mine = (this.asked += 1);
    this.busy = true;
    try {
      const page = await this.fetch(0, Math.max(size, this.rows.length));
      if (mine !== this.asked) return;
      this.rows = page.rows;
      this.total = page.total;
      this.trouble = '';
    } catch (cause) {
      if (mine === this.asked) this.trouble = cause instanceof ApiError ? cause.sentence : String(cause);
    }
    if (mine === this.asked) this.busy = false;
  }

  async more(): Promise<void> {
    if (this.busy || this.total === null || this.rows.length >= this.total) return;
    const mine = (this.asked += 1);
    this.busy = true;
    try {
      const page = await this.fetch(this.rows.length, size);
      if (mine === this.asked) this.rows = [...this.rows, ...page.rows];
    } catch (cause) {
      if (mine === this.asked) this.trouble = cause instanceof ApiError ? cause.sentence : String(cause);
    }
    if (mine === this.asked) this.busy = false;
  }
}
