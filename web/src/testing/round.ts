// A round for tests of components: safety overrules admission, a source is late, a node has no sample.
import type { Agent, NodeLine, ProposalView, Reading, RoundView } from '../api/types';

/** As the server lists them: with letter and title; this build does not have the last one. */
export const agents: Agent[] = ['safety', 'efficiency', 'admission', 'scaling'].map((role, i) => {
  const letter = String.fromCharCode(65 + i);
  return { role, letter, title: `${letter} ${role}`, here: role !== 'scaling' };
});

export const reading = (value: number | null, more: Partial<Reading> = {}): Reading => ({
  value, age_s: 1, state: value === null ? 'missing' : 'ok', source: 'metrics', why: value === null ? 'metrics has no sample of it' : '', ...more,
});

export const node = (name: string, more: Partial<NodeLine> = {}): NodeLine => ({
  name, zone: 'a', ready: 'yes', ready_for_s: 11_100, lease: reading(4.2), cpu: reading(0.71), memory: reading(0.88), disk: reading(null),
  restarts: reading(6), pods: 14, cordoned: false, power: 'on', ours: '', risk: reading(0.86), limit: 0.25, over: true, waiting: 41.3, acting: 12,
  action: 'replicate', differs: '', aside: '', changed: false, ...more,
});

export const proposal = (more: Partial<ProposalView> = {}): ProposalView => ({
  role: 'safety', agent: 'A safety', wanted: 'replicate node-07', action: 'replicate', target: 'node-07', target_kind: 'node', score: 0.86, outcome: 'accepted',
  result: 'accepted, 3 of 3 sent', rule: '', because: '', guard: '12 of 12', loses_to: null,
  evidence: { what: 'risk', value: 0.86, bound: 'above', limit: 0.25, scale: 'log_odds', text: 'risk 0.86', acts: 'above 0.25' }, ...more,
});

export const round = (more: Partial<RoundView> = {}): RoundView => ({
  run: 'tour-7', round: 142, first_round: 1, newest_round: 142, at: 'T+07:06', t: 426, wall: null, mode: 'act', mode_text: 'act (simulated)',
  simulated: true, stopped: false, pace: 'on time', trouble: '', partial: '', headline: 'A safety won: replicate node-07', reason: 'Risk 0.86.',
  winner: 'safety', contest: 'contested', rule: 'safety-first', rationale: '', overruled: ['C'], repeat_count: 1,
  max_risk: { node: 'node-07', value: 0.86, limit: 0.25, aside: '', next_node: '', next_risk: null }, stage: 'live loop', alarms: [], disagreements: [], stimulus: null, flow: [],
  cluster: {
    nodes: 12, nodes_ready: 12, pods: 184, pending: [{ cause: 'short of CPU', count: 9, deliberate: false, ours: false }], pending_total: 9,
    pending_text: '', queue: reading(9), violations: reading(0), completed: reading(1), power: reading(1930, { state: 'estimated' }),
    sources: [
      { name: 'api', condition: 'ok', age_s: 0.4, limit_s: 60, covered: 12, expected: 12, reason: '', text: 'api 0.4s' },
      { name: 'prometheus', condition: 'late', age_s: 94, limit_s: 60, covered: 12, expected: 12, reason: '', text: 'prometheus 1m34s LATE (limit 1m00s)' },
    ],
  },
  worth: [node('node-07')], more_nodes: '11 more, nothing missing',
  forecasts: { predictor: 'evidence', model: 'evidence', simulated: false, calibration: '', features: 0, horizon_s: 600, instead: '', shadows: [], missing: [], milliseconds: null },
  proposals: [proposal(), proposal({ role: 'admission', agent: 'C admission', wanted: 'queue new batch pods', outcome: 'lost', result: 'lost: action-limit, 1 a round', rule: 'action-limit', guard: '', loses_to: 'safety' })],
  sent: [], open_actions: [], scores: { last_closed: null, later: null, due_round: 162, twin: null, round_total: null, round_text: '', weights: '' },
  events: [], knew: [], missing: [], assumed: [], stages: [], record: 'runs/tour-7', ended: '', ...more,
});
