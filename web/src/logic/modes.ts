// The mode of a run in words, as the terminal says it.
import type { Mode } from '../api/types';

export function modeText(mode: Mode, simulated: boolean): string {
  const words = mode === 'dry_run' ? 'dry-run' : mode;
  return simulated ? `${words} (simulated)` : words;
}

export type StopState = 'sends_nothing' | 'over' | 'stopped' | 'ready' | 'armed' | 'sending';

/** What the stop button says and whether it can be pressed. */
export function stopText(state: StopState): { text: string; can: boolean } {
  switch (state) {
    case 'sends_nothing': return { text: 'Sends nothing', can: false };
    case 'over': return { text: 'Run is over', can: false };
    case 'stopped': return { text: 'Stopped', can: false };
    case 'ready': return { text: 'Stop acting', can: true };
    case 'armed': return { text: 'Press again to stop', can: true };
    case 'sending': return { text: 'Stopping', can: false };
  }
}
