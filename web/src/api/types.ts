// What the server answers. Null is unknown, never zero; times are seconds of the run.

export type ReadingState = 'ok' | 'late' | 'missing' | 'estimated' | 'assumed' | 'not_applicable';
export interface Reading {
  value: number | null;
  age_s: number | null;
  state: ReadingState;
  source: string;
  why: string;
}
export type Role = 'safety' | 'efficiency' | 'admission' | 'scaling';
export type Outcome = 'accepted' | 'lost' | 'refused' | 'held' | 'would' | 'idle';
export type StageState = 'off' | 'idle' | 'skipped' | 'running' | 'done' | 'failed';
export type Mode = 'observe' | 'dry_run' | 'act';
export type RunStatus = 'running' | 'complete' | 'stopped' | 'failed' | 'killed';

export interface RunCard {
  name: string;
  title: string;
  status: RunStatus;
  reason: string;
  mode: Mode;
  simulated: boolean;
  rounds: number;
  first_round: number;
  newest_round: number;
  newest_at: string;
  can_stop: boolean;
  stopped: boolean;
  problem: string;
}
export interface Runs {
  runs: RunCard[];
  current: string | null;
}
export interface Stage {
  name: string;
  state: StageState;
  detail: string;
  progress: string;
}
export interface Artifact {
  label: string;
  path: string;
  time: string;
}
export interface RunDetail {
  card: RunCard;
  command: string[];
  settings: { name: string; value: string; origin: string }[];
  seed: number;
  profile: string;
  rules_version: number;
  program: string;
  began: string;
  cluster_kind: string;
  cannot: string[];
  data_source: string;
  rows: number;
  artifacts: Artifact[];
  errors: string[];
  gaps: string[];
  summary: string[];
  stages: Stage[];
  interval_s: number;
}
export interface AlarmView {
  kind: string;
  about: string;
  since_at: string;
  rounds: number;
  layer: number;
  sentence: string;
}
export interface SourceView {
  name: string;
  condition: 'ok' | 'late' | 'failed' | 'off';
  age_s: number | null;
  limit_s: number;
  covered: number;
  expected: number;
  reason: string;
  text: string;
}
export type StationKey =
  | 'stimulus'
  | 'cluster'
  | 'forecasts'
  | 'proposals'
  | 'verdict'
  | 'execution'
  | 'score'
  | 'events';
export interface FlowStation {
  key: StationKey;
  title: string;
  figure: string;
  state: 'ok' | 'late' | 'failed' | 'off' | 'none';
  detail: string;
  age_s: number | null;
}
export interface Pending {
  cause: string;
  count: number;
  deliberate: boolean;
  ours: boolean;
}
export interface NodeLine {
  name: string;
  zone: string;
  ready: 'yes' | 'no' | 'unknown';
  ready_for_s: number | null;
  lease: Reading;
  cpu: Reading;
  memory: Reading;
  disk: Reading;
  restarts: Reading;
  pods: number;
  cordoned: boolean;
  power: string;
  ours: string;
  risk: Reading;
  limit: number | null; // Null: it never acts.
  over: boolean;
  waiting: number | null;
  acting: number | null;
  action: string;
  differs: string;
  changed: boolean;
}
export interface Evidence {
  what: string;
  value: number | null;
  bound: 'above' | 'below' | 'from' | '';
  limit: number | null;
  scale: 'log_odds' | 'linear' | 'count';
  text: string;
  acts: string;
}
export interface ProposalView {
  role: Role;
  agent: string;
  wanted: string;
  target: string;
  target_kind: 'node' | 'workload' | 'cluster' | 'space' | 'none';
  score: number | null;
  outcome: Outcome;
  result: string;
  rule: string;
  because: string;
  guard: string;
  evidence: Evidence;
  loses_to: Role | null;
}
export interface RequestView {
  request: string;
  answer: string;
  ok: boolean;
  ms: number | null;
}
export interface SentView {
  label: string;
  requests: RequestView[];
  state: string;
  expires_at: string;
  undo: string[];
  note: string;
  would: boolean;
  guard: string;
  from_round: number;
}
export interface OpenActionView {
  round: number;
  label: string;
  target: string;
  state: string;
  done: number;
  total: number;
  expires_at: string;
  note: string;
}
export interface ClosedView {
  round: number;
  closed_round: number;
  at: string;
  action: string;
  role: Role | null;
  by: Record<Role, number | null>;
  total: number | null;
  twin: number | null;
  state: 'measured' | 'estimated' | 'would' | 'unknown' | 'not_ours';
  text: string;
}
export interface EventLine {
  at: string;
  t: number;
  round: number;
  kind: string;
  message: string;
  seq: number;
}
export interface Stimulus {
  phase: string;
  text: string;
  intent: string;
  since_s: number;
  moves: string;
  before: number;
  now: number | null;
  moved: string;
  instead: string;
}
export interface ClusterView {
  nodes: number | null;
  nodes_ready: number | null;
  pods: number | null;
  pending: Pending[];
  pending_total: number | null;
  pending_text: string;
  queue: Reading;
  violations: Reading;
  completed: Reading;
  power: Reading;
  sources: SourceView[];
}
export interface Forecasts {
  predictor: string;
  model: string;
  simulated: boolean;
  calibration: string;
  features: number;
  horizon_s: number;
  instead: string;
  shadows: { name: string; max_risk: number | null; node: string }[];
  missing: string[];
  milliseconds: number | null;
}
export interface RoundView {
  run: string;
  round: number;
  first_round: number;
  newest_round: number;
  at: string;
  t: number;
  wall: string | null;
  mode: Mode;
  mode_text: string;
  simulated: boolean;
  stopped: boolean;
  pace: string;
  trouble: string;
  partial: string;
  headline: string;
  reason: string;
  winner: Role | null;
  contest: 'idle' | 'uncontested' | 'contested';
  rule: string;
  rationale: string;
  overruled: string[];
  repeat_count: number;
  max_risk: { node: string; value: number; limit: number | null } | null;
  stage: string;
  alarms: AlarmView[];
  disagreements: { kind: string; about: string; sentence: string }[];
  stimulus: Stimulus | null;
  flow: FlowStation[];
  cluster: ClusterView;
  worth: NodeLine[];
  more_nodes: string;
  forecasts: Forecasts;
  proposals: ProposalView[];
  sent: SentView[];
  open_actions: OpenActionView[];
  scores: {
    last_closed: ClosedView | null;
    later: ClosedView | null;
    due_round: number | null;
    twin: number | null;
    round_total: number | null;
    round_text: string;
    weights: string;
  };
  events: EventLine[];
  knew: string[];
  missing: string[];
  assumed: string[];
  stages: Stage[];
  record: string;
}
export interface MapView {
  round: number;
  names: string[];
  zones: string[];
  risk: (number | null)[];
  over: number[];
  missing: number[];
  not_ready: number[];
  aside: number[];
  differs: number[];
  sorted: string;
}
export interface Page<Row> {
  total: number;
  rows: Row[];
}
export interface Moment {
  round: number;
  at: string;
  text: string;
}
export interface PodLine {
  name: string;
  workload: string;
  phase: string;
  ready: boolean;
  restarts: number;
  cpu: string;
  memory: string;
  waits_for: string;
}
export interface NodeDetail {
  line: NodeLine;
  readings: { name: string; reading: Reading; unit: string }[];
  forecast: {
    risk: number | null;
    limit: number | null;
    horizon_s: number;
    model: string;
    odds_base: number | null;
    factors: { feature: string; value: string; factor: number; missing: boolean }[];
    remedies: { kind: string; limit: number | null; cost: number; pays: boolean }[];
    signals: string[];
    missing: string[];
    text: string[];
  };
  labels: { name: string; value: string }[];
  history: {
    rounds: number[];
    risk: (number | null)[];
    limit: (number | null)[];
    cpu: (number | null)[];
    memory: (number | null)[];
  };
  moments: Moment[];
  moments_from: string;
  pods: PodLine[];
  pods_total: number;
}
export interface WorkloadLine {
  name: string;
  kind: string;
  wanted: number;
  ready: number;
  pending: number;
  cpu: Reading;
  memory: Reading;
  rate: Reading;
  latency_ms: Reading;
  scale_owner: string;
  budget: string;
  priority: number;
  flags: string[];
  ours: string;
}
export interface StripCell {
  round: number;
  letter: string;
  overruled: number;
  alarm: boolean;
  same: boolean;
  state: 'full' | 'decisions' | 'gone' | 'damaged';
}
export interface Strip {
  first: number;
  newest: number;
  cells: StripCell[];
}
export interface Ribbon {
  first: number;
  newest: number;
  cells: string;
  alarms: string;
}
export interface ScorePoint {
  round: number;
  total: number | null;
  safety: number | null;
  efficiency: number | null;
  admission: number | null;
  scaling: number | null;
  ours: boolean; // False: measured, but nothing was sent.
}
export interface Scores {
  series: ScorePoint[];
  closed: ClosedView[];
  weights: string;
  twin_error: number | null;
}
export interface DecisionRow {
  round: number;
  last_round: number;
  at: string;
  headline: string;
  rule: string;
  letter: string;
  overruled: string[];
  outcome: string;
  score: number | null;
  score_text: string;
}
export interface Events {
  events: EventLine[];
  counts: Record<string, number>;
  total: number;
  newest_seq: number;
}
export interface Brain {
  id: string;
  kind: string;
  provenance: string;
  trained_at: string;
  auc: number | null;
  ece: number | null;
  reliability: { p: number; seen: number; n: number }[];
  served: boolean;
  shadow: boolean;
  refused: string;
}
export interface Trial {
  number: number;
  state: string;
  value: number | null;
  params: Record<string, string>;
}
export interface Learning {
  stages: Stage[];
  brains: Brain[];
  optuna: {
    state: StageState;
    study: string;
    trials: Trial[];
    best: Trial | null;
    importance: { name: string; share: number }[];
    detail: string;
  };
  ray: {
    state: StageState;
    detail: string;
    iterations: number;
    reward_mean: number | null;
    checkpoint: string;
  };
  artifacts: string[];
}
export interface Answer {
  question: string;
  text: string[];
  error: string;
  links: { text: string; round: number | null; node: string | null; workload: string | null }[];
}
export interface RoundSummary {
  round: number;
  at: string;
  t: number;
  headline: string;
  reason: string;
  winner: Role | null;
  letter: string;
  overruled: number;
  max_risk: number | null;
  max_risk_node: string;
  alarms: number;
  alarm: string;
  stage: string;
  pace: string;
  stopped: boolean;
  cells: [number, number | null, number][];
  more: boolean;
  new_events: number;
  same: boolean;
  status: RunStatus;
}
export interface WorkloadDetail {
  round: number;
  line: WorkloadLine;
  readings: { name: string; reading: Reading; unit: string }[];
  demand_m: number | null;
  history: {
    rounds: number[];
    wanted: (number | null)[];
    ready: (number | null)[];
    cpu: (number | null)[];
    rate: (number | null)[];
  };
  moments: Moment[];
  moments_from: string;
  pods: PodLine[];
  pods_total: number;
}
