// The mode of a run and its stop, in words.
import type { EventLine, Mode, RunCard } from '../api/types';
import { count } from './format';

export function modeText(mode: Mode, simulated: boolean, stopped = false): string {
  const words = stopped ? 'stopped' : mode === 'dry_run' ? 'dry-run' : mode;
  return simulated ? `${words} (simulated)` : words;
}

/** A run that goes on, would act, and is kept from it. */
export const isStopped = (card: RunCard | null): boolean =>
  card !== null && card.status === 'running' && card.mode === 'act' && card.stopped;

export type StopState = 'none' | 'sends_nothing' | 'over' | 'stopped' | 'elsewhere' | 'ready' | 'armed' | 'sending';

/** What can be stopped is what the run's card says; `armed` and `sending` name the run that was pressed for. */
export function stopState(card: RunCard | null, armed: string, sending: string): StopState {
  if (card === null) return 'none';
  if (card.mode !== 'act') return 'sends_nothing';
  if (card.status !== 'running') return 'over';
  if (card.stopped) return 'stopped';
  if (sending === card.name) return 'sending';
  if (!card.can_stop) return 'elsewhere';
  return armed === card.name ? 'armed' : 'ready';
}

/** What the stop button says and whether it can be pressed. */
export function stopText(state: StopState, run: string): { text: string; can: boolean } {
  switch (state) {
    case 'none': return { text: 'No run to stop', can: false };
    case 'sends_nothing': return { text: 'Sends nothing', can: false };
    case 'over': return { text: 'Run is over', can: false };
    case 'stopped': return { text: 'Stopped', can: false };
    case 'elsewhere': return { text: `parley stop ${run}`, can: false };
    case 'ready': return { text: 'Stop acting', can: true };
    case 'armed': return { text: 'Press again to stop', can: true };
    case 'sending': return { text: 'Stopping', can: false };
  }
}

/** How the events that tell of a stop are found. */
export const stopEvents = { kinds: 'stage', find: 'nothing is sent any more', limit: 5 };

const pressed = /^Stopped from acting by (.+) after round (\d+): /;

/**
 * "Stopped after round 12 by the owner.", as far as the events say, which are newest first. Events before `acted`,
 * a round at which the run was known to act, tell of an earlier stop. Empty: nothing tells of it yet.
 */
export function stoppedText(events: readonly EventLine[], acted: number): string {
  const [last, before] = events.filter((event) => event.round >= acted);
  if (last === undefined) return '';
  // The record notes the stop a round or two after whoever pressed it here.
  const near = before !== undefined && before.round + 2 >= last.round ? before : undefined;
  const said = pressed.exec(last.message) ?? pressed.exec(near?.message ?? '');
  if (said !== null) return `Stopped after round ${count(Number(said[2]))} by ${said[1]}.`;
  return last.round <= 1 ? 'Stopped from the first round on.' : `Stopped after round ${count(last.round - 1)}.`;
}
