// Stopping a run: one press arms, the next sends. Whether the run is stopped is on its card, not here.
import { ApiError, api } from '../api/client';

const armedMs = 5_000;

export class Stopping {
  armed = $state(''); // The run that the next press stops; empty: the next press arms.
  sending = $state(''); // The run whose stop is being sent.
  trouble = $state(''); // Why the last one failed; stays until it is dismissed or tried again.
  private timer: ReturnType<typeof setTimeout> | undefined;

  disarm(): void {
    this.armed = '';
    clearTimeout(this.timer);
  }

  /** What the server said when it stopped; empty: it was only armed, or failed. */
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
