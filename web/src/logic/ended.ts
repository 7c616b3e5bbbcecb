// How a run ended, in a sentence.
import type { OpenActionView, RunCard } from '../api/types';
import { counted, listed } from './format';

/** "Ended without closing at round 212. One action is open: shop/web 6 to 7."; empty: it goes on, or ended well. */
export function endedText(card: Pick<RunCard, 'status' | 'reason' | 'newest_round'>, open: readonly OpenActionView[]): string {
  if (card.status === 'killed') {
    const names = open.slice(0, 3).map((one) => `${one.label} ${one.target}`.trim());
    const rest = open.length > 3 ? [`${open.length - 3} more`] : [];
    const left =
      open.length === 0
        ? 'No action was open.'
        : `${open.length === 1 ? 'One action is' : `${counted(open.length, 'action')} are`} open: ${listed([...names, ...rest])}.`;
    return `Ended without closing at round ${card.newest_round}. ${left}`;
  }
  if (card.status === 'running' || card.reason === '') return '';
  const begin = card.status === 'failed' ? 'Failed' : card.status === 'stopped' ? 'Stopped' : 'Over';
  return `${begin} at round ${card.newest_round}: ${card.reason}${/[.!?]$/.test(card.reason) ? '' : '.'}`;
}
