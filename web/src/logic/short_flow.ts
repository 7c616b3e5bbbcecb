// The flow on a phone: one figure per station, short enough for an eighth of 390 px.
import type { Agent, RoundView, StationKey } from '../api/types';
import { letterOf } from './agents';
import { count, share, signed } from './format';

/** ".86", "+.009": without the zero before the point; zero itself stays "0". */
const short = (text: string): string => (text === '0.0' ? '0' : text.replace(/^([<+-]?)0(?=\.)/, '$1'));

export function shortFigure(round: RoundView, key: StationKey, agents: readonly Agent[]): string {
  switch (key) {
    case 'stimulus':
      // A stimulus that intends to move nothing has nothing to count.
      return round.stimulus === null || round.stimulus.moves === 'none' ? '-' : count(round.stimulus.now);
    case 'cluster':
      return count(round.cluster.pending_total);
    case 'forecasts':
      return round.max_risk === null ? '?' : short(share(round.max_risk.value));
    case 'proposals':
      return count(round.proposals.filter((one) => one.outcome !== 'idle').length);
    case 'verdict':
      return round.winner === null ? '-' : letterOf(agents, round.winner);
    case 'execution': {
      const requests = round.sent.flatMap((one) => one.requests);
      return requests.length === 0 ? '-' : `${requests.filter((one) => one.ok).length}/${requests.length}`;
    }
    case 'score': {
      const { later, due_round, last_closed } = round.scores;
      if (later?.total != null) return short(signed(later.total));
      if (due_round !== null) return count(due_round);
      return last_closed?.total != null ? short(signed(last_closed.total)) : '-';
    }
    case 'events':
      return count(round.events.filter((one) => one.round === round.round).length);
  }
}

/** What the station of the cluster says about its sources: late or failed ones first. */
export function sourceDetail(sources: RoundView['cluster']['sources']): { late: string; rest: string } {
  const on = sources.filter((source) => source.condition !== 'off');
  const bad = on.filter((source) => source.condition !== 'ok');
  const good = on.filter((source) => source.condition === 'ok');
  return {
    late: bad.map((source) => source.text).join(', '),
    rest: good.map((source) => source.text).join(', '),
  };
}
