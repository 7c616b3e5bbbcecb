// Scores over rounds as lines of a chart: which lines, the range of the axis, and which are named at their ends.
import type { Agent, ClosedView, ProposalView, Role, ScorePoint, Scores } from '../api/types';
import { count, listed, magnitude, signed } from './format';

/** Agents that can act here: those of this build, and any that looked at something in this round. The others have neither line nor figure. */
export function present(agents: readonly Agent[], proposals: readonly { role: Role; evidence: Pick<ProposalView['evidence'], 'what'> }[]): Agent[] {
  return agents.filter(({ role, here }) => here || proposals.some((one) => one.role === role && one.evidence.what !== ''));
}

/** The weights; costs of an agent that is not here still count in the total. */
export function weightsLine(weights: string, agents: readonly Agent[], here: readonly Agent[]): string {
  const absent = agents.filter((agent) => !here.includes(agent)).map((agent) => agent.letter);
  return `Weights of the total: ${weights}${absent.length === 0 ? '' : `; ${listed(absent)} ${absent.length === 1 ? 'is' : 'are'} not in this build, but such costs count`}.`;
}

/** What all rounds cost together; missing is not zero. */
export function totalLine({ total, total_missing, total_covered, left_out }: Pick<Scores, 'total' | 'total_missing' | 'total_covered' | 'left_out'>): string {
  if (total === null) return `Total since the start is not known: ${total_missing}.`;
  const covered = total_covered === null || total_covered === 1 ? '' : `, known from ${Math.floor(total_covered * 100)}% of readings`;
  const without = left_out.length === 0 ? '' : ` Left out: ${left_out.join('; ')}.`;
  return `Total since the start: ${signed(total)} pod-minutes${covered}.${without}`;
}

/** The usual error of the twin: half of the time it is smaller. */
export function twinLine({ twin_error, twin_scores }: Pick<Scores, 'twin_error' | 'twin_scores'>): string {
  if (twin_error === null) return '';
  return twin_scores === 1
    ? `The twin was off by ${magnitude(twin_error)} in the one score that tells.`
    : `The twin was off by ${magnitude(twin_error)}, the median of ${count(twin_scores)} scores.`;
}

/** What to say about a closed score besides its figures. */
export function closedNote(one: Pick<ClosedView, 'total' | 'cut' | 'text' | 'likely' | 'left_out'>): string {
  if (one.total === null) return one.text;
  const parts = [one.likely, one.cut ? 'cut by a later action' : '', one.left_out === '' ? '' : `left out: ${one.left_out}`];
  return parts.filter((part) => part !== '').join('; ');
}

/** The total of a closed score: unknown, or not due because the run ended before. */
export function closedTotal(one: Pick<ClosedView, 'total' | 'state'>): string {
  if (one.state === 'censored') return 'not due';
  return one.total === null ? '?' : signed(one.total);
}

/** The heading above what became of an action after the shown round. */
export function laterTitle(one: Pick<ClosedView, 'state' | 'closed_round'>): string {
  return one.state === 'censored' ? 'This action, censored' : `This action, measured later, round ${one.closed_round}`;
}

const crowd = 0.95; // This share of the values other than zero determines the axis, ...
const stretch = 2; // ... which extends to this multiple of them, ...
const apart = 4; // ... unless no value is this many times further away.

/** The range of the axis: a single extreme round must not flatten all others. */
export function axisRange(values: readonly (number | null)[]): [number, number] {
  const known = values.filter((value) => value !== null);
  const sizes = known.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b);
  const most = sizes[sizes.length - 1] ?? 1;
  const usual = sizes[Math.max(0, Math.ceil(sizes.length * crowd) - 1)] ?? most;
  const end = most > usual * apart ? usual * stretch : most * 1.1;
  const [least, top] = [Math.min(0, ...known), Math.max(0, ...known)];
  if (least === 0 && top === 0) return [-1, 1];
  return [Math.max(least * 1.1, -end), Math.min(top * 1.1, end)];
}

/** Rounds whose total is beyond the axis, the furthest first. */
export function beyond(series: readonly ScorePoint[], [low, high]: [number, number]): { round: number; value: number }[] {
  return series
    .flatMap(({ round, total }) => (total !== null && (total < low || total > high) ? [{ round, value: total }] : []))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/** Whether a line ends visibly away from zero. */
export function endsApart(values: readonly (number | null)[], [low, high]: [number, number]): boolean {
  const last = values.findLast((value) => value !== null);
  return last !== undefined && last !== null && Math.abs(last) > (high - low) * 0.02;
}
