// The types of the API, by the names that the page uses. Null is unknown, never zero; times are seconds of the run.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Reading = Schemas['ReadingView'];
export type ReadingState = Schemas['ReadingState'];
export type Role = Schemas['Role'];
export type Agent = Schemas['AgentView'];
export type Outcome = Schemas['Outcome'];
export type StageState = Schemas['StageState'];
export type Mode = Schemas['Mode'];
export type RunStatus = Schemas['RunState'];
export type RunCard = Schemas['RunCard'];
export type StopWord = Schemas['StopWord'];
export type Leading = Schemas['Leading'];
export type Runs = Schemas['RunList'];
export type Stage = Schemas['StageView'];
export type Artifact = Schemas['ArtifactView'];
export type RunDetail = Schemas['RunDetail'];
export type AlarmView = Schemas['AlarmView'];
export type SourceView = Schemas['SourceView'];
export type FlowStation = Schemas['FlowStation'];
/** The eight stations, in the order of the flow. */
export type StationKey =
  'stimulus' | 'cluster' | 'forecasts' | 'proposals' | 'verdict' | 'execution' | 'score' | 'events';
export type NodeLine = Schemas['NodeLine'];
export type Evidence = Schemas['EvidenceView'];
export type ProposalView = Schemas['ProposalView'];
export type SentView = Schemas['SentView'];
export type OpenActionView = Schemas['OpenView'];
export type ClosedView = Schemas['ClosedView'];
export type EventLine = Schemas['EventLine'];
export type ClusterView = Schemas['ClusterView'];
export type RoundView = Schemas['RoundView'];
export type MapView = Schemas['MapView'];
export type Moment = Schemas['MomentView'];
export type PodLine = Schemas['PodLine'];
export type NodeDetail = Schemas['NodeDetail'];
export type WorkloadLine = Schemas['WorkloadLine'];
export type WorkloadDetail = Schemas['WorkloadDetail'];
export type StripCell = Schemas['StripCell'];
export type Strip = Schemas['StripView'];
export type Ribbon = Schemas['RibbonView'];
export type ScorePoint = Schemas['ScorePoint'];
export type Scores = Schemas['ScoresView'];
export type DecisionRow = Schemas['DecisionLine'];
export type Events = Schemas['EventsView'];
export type Brain = Schemas['BrainView'];
export type Trial = Schemas['TrialView'];
export type Learning = Schemas['LearningView'];
export type Answer = Schemas['AskView'];
export type RoundSummary = Schemas['RoundSummary'];
export type StatusNote = Schemas['StatusNote'];

/** A part of a long list. */
export interface Page<Row> {
  total: number;
  rows: Row[];
}
