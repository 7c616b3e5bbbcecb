// The mode of a run and its stop, in words.
import type { Mode, RunCard, StopWord } from '../api/types';
import { count } from './format';

/** "act (simulated)"; a narrow head has another word for the brackets. */
export function modeText(mode: Mode, simulated: boolean, stopped = false, word: 'simulated' | 'sim' = 'simulated'): string {
  const words = stopped ? 'stopped' : mode === 'dry_run' ? 'dry-run' : mode;
  return simulated ? `${words} (${word})` : words;
}

/** A running run that would act but is stopped. */
export const isStopped = (card: RunCard | null): boolean =>
  card !== null && card.status === 'running' && card.mode === 'act' && card.stopped !== null;

export type StopState = 'none' | 'sends_nothing' | 'over' | 'stopped' | 'ready' | 'armed' | 'sending';

/** Whether it can be stopped is on the run's card; `armed` and `sending` name the run that was pressed for. */
export function stopState(card: RunCard | null, armed: string, sending: string): StopState {
  if (card === null) return 'none';
  if (card.mode !== 'act') return 'sends_nothing';
  if (card.status !== 'running') return 'over';
  if (card.stopped !== null) return 'stopped';
  if (sending === card.name) return 'sending';
  return armed === card.name ? 'armed' : 'ready';
}

/** What the stop button says and whether it can be pressed. */
export function stopText(state: StopState): { text: string; can: boolean } {
  switch (state) {
    case 'none': return { text: 'No run to stop', can: false };
    case 'sends_nothing': return { text: 'Sends nothing', can: false };
    case 'over': return { text: 'Run is over', can: false };
    case 'stopped': return { text: 'Stopped', can: false };
    case 'ready': return { text: 'Stop acting', can: true };
    case 'armed': return { text: 'Press again to stop', can: true };
    case 'sending': return { text: 'Stopping', can: false };
  }
}

/** "Stopped after round 12 by session 2 of the dashboard.", as far as known. */
export function stoppedText({ by, after_round: round }: StopWord): string {
  const when = round === null ? '' : round === 0 ? ' from the first round on' : ` after round ${count(round)}`;
  return `Stopped${when}${by === '' ? '' : ` by ${by}`}.`;
}
