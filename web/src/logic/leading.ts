// Who leads, where several processes may act, in words.
import type { Leading, RunCard } from '../api/types';
import { clock } from './ages';
import { count } from './format';

/** Who leads, as long as that matters: while the run goes on. */
export const leadingOf = (card: RunCard | null): Leading | null =>
  card !== null && card.status === 'running' && card.mode === 'act' ? card.leading : null;

/** A run that only says what it would do, because it does not lead. */
export function follows(card: RunCard | null): boolean {
  const leading = leadingOf(card);
  return leading !== null && !leading.leads;
}

/** What stands in the head beside the mode: "leads, epoch 3", "follows"; empty: nobody else could lead. */
export function leadingWord(leading: Leading | null): string {
  if (leading === null) return '';
  return leading.leads ? `leads, epoch ${count(leading.epoch)}` : 'follows';
}

/** ", epoch 3, since 12:03:00", as far as known. */
export function termText({ epoch, since }: Leading): string {
  return `${epoch === 0 ? '' : `, epoch ${count(epoch)}`}${since === '' ? '' : `, since ${clock(since)}`}`;
}

/** Until when it lasts if nobody renews it; empty: not known. */
export const endsText = ({ ends }: Leading): string => (ends === '' ? '' : `Ends ${clock(ends)} unless renewed.`);

/** All of it in one line, for the page of the run. */
export function leaderLine(leading: Leading | null): string {
  if (leading === null) return '';
  const who = leading.leads ? 'this process' : leading.holder !== '' ? leading.holder : leading.trouble === '' ? 'nobody' : 'not known';
  const ends = endsText(leading);
  const trouble = leading.trouble === '' ? '' : ` Could not be asked: ${leading.trouble}.`;
  return `${who}${leading.holder === '' ? '' : termText(leading)}.${ends === '' ? '' : ` ${ends}`}${trouble}`;
}
