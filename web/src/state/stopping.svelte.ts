// The way to a stop: one press arms, the next sends. Whether the run is stopped is not known here, but on its card.
import { ApiError, api } from '../api/client';

const armedMs = 5_000;

export class Stopping {
  armed = $state(''); // The run that the next press stops; empty: that press arms.
  sending = $state(''); // The run whose stop is on its way.
  trouble = $state(''); // Why the last one failed: it stays until it was read or tried again.
  private timer: ReturnType<typeof setTimeout> | undefined;

  disarm(): void {
    this.armed = '';
    clearTimeout(this.timer);
  }

  /** What the server said when it stopped; empty: it was armed only, or failed. */
  async press(run: string): Promise<string> {
    this.trouble = '';
    const again = this.armed === run;
    this.disarm();
    if (!again) {
      this.armed = run;
      this.timer = setTimeout(() => this.disarm(), armedMs);
      return '';
    }
    this.sending = run;
    try {
      return await api.stop(run);
    } catch (cause) {
      const why = cause instanceof ApiError ? `${cause.sentence} ${cause.remedy}`.trim() : String(cause);
      this.trouble = `${run} was not stopped: ${why} From a terminal: parley stop ${run}`;
      return '';
    } finally {
      this.sending = '';
    }
  }
}
