// What is worth a look: most rounds are calm, and then a full table is noise.
import type { NodeLine, RoundView } from '../api/types';
import { age } from './ages';
import { count } from './format';
import { riskPlace, riskStep } from './scales';

/** Something is wrong with the node, unknown about it, done to it now, or its risk shows on the map. */
export function isWorthALook(node: NodeLine, target: string): boolean {
  const readings = [node.lease, node.cpu, node.memory, node.restarts, node.risk];
  return (
    node.name === target || node.over || node.differs !== '' || node.ready !== 'yes' ||
    readings.some((read) => read.state === 'missing' || read.state === 'late') ||
    (node.risk.value !== null && riskStep(node.risk.value) > 0)
  );
}

/** What Kubernetes shows of a node: how long it has been Ready or not, or "Unknown". */
export function readyText({ ready, ready_for_s: since }: Pick<NodeLine, 'ready' | 'ready_for_s'>): string {
  if (ready === 'unknown') return 'Unknown';
  return `${ready === 'no' ? 'no, ' : ''}${age(since)}`;
}

/** The target node of this round's action; empty if there is none. */
export function targetOf(round: RoundView | null): string {
  return round?.proposals.find((one) => one.outcome === 'accepted' || one.outcome === 'would')?.target ?? '';
}

/** The node that is nearest to its own limit, on the scale of risks; empty if none has a limit. */
export function nearest(nodes: readonly NodeLine[]): string {
  const room = (node: NodeLine): number =>
    node.limit === null || node.limit > 1 || node.risk.value === null ? Infinity : riskPlace(node.limit) - riskPlace(node.risk.value);
  const best = nodes.filter((node) => room(node) < Infinity).sort((a, b) => room(a) - room(b))[0];
  return best?.name ?? '';
}

/** What to say below a table in which `hidden` rows have no room; for a large cluster the round brings only its first rows. */
export function moreRows({ cluster, worth, more_nodes }: Pick<RoundView, 'cluster' | 'worth' | 'more_nodes'>, hidden: number): string {
  const beyond = (cluster.nodes ?? 0) > worth.length;
  return `${count(hidden)} more in Nodes${beyond ? `; ${more_nodes}` : ''}`;
}

const settled = 15; // Seconds within which a stimulus may not have had an effect yet.

/** Whether a stimulus is over: what it moved is back where it was. */
export function isOver(stimulus: RoundView['stimulus']): boolean {
  return stimulus !== null && stimulus.now === stimulus.before && stimulus.since_s > settled;
}
