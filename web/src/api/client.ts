// The only place that talks to the server.
import type {
  Answer, DecisionRow, Events, Learning, MapView, NodeDetail, NodeLine, Page, Ribbon, RoundView,
  RunDetail, Runs, Scores, Strip, WorkloadDetail, WorkloadLine,
} from './types';
import { readable } from '../logic/names';

/** A refusal in the server's own words. Status 0: there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly sentence: string,
    readonly remedy: string,
  ) {
    super(sentence);
  }
}

// Names are not changed, since they are used in further requests.
const names_of_things = new Set(['name', 'names', 'node', 'next_node', 'max_risk_node', 'workload', 'target', 'run', 'current']);

/** An answer that is safe to show: no direction mark in its sentences can reorder the text beside it. */
export function shown<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (names_of_things.has(key) ? value : readable(value)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => shown(item, key)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]: [string, unknown]) => [name, shown(item, name)])) as T;
}

export type Query = Record<string, string | number | undefined>;

const names = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

export function path(parts: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, value.toString());
  }
  const text = search.toString();
  return text === '' ? `/api/${parts}` : `/api/${parts}?${text}`;
}

async function refused(answer: Response): Promise<ApiError> {
  try {
    const body = shown((await answer.json()) as { error?: { sentence?: string; remedy?: string } });
    const said = body.error?.sentence;
    if (said !== undefined) return new ApiError(answer.status, said, body.error?.remedy ?? '');
  } catch {
    // Not our server: something between the page and it answered.
  }
  return new ApiError(answer.status, `The server answered ${answer.status}.`, '');
}

async function send(address: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
    throw new ApiError(0, 'The server does not answer.', '');
  }
  if (!answer.ok) throw await refused(answer);
  return answer;
}

async function get<T>(address: string, signal?: AbortSignal): Promise<T> {
  const answer = await send(address, signal ? { signal } : {});
  return shown((await answer.json()) as T);
}

async function post(address: string, body: object): Promise<Response> {
  return send(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Parley': '1' },
    body: JSON.stringify(body),
  });
}

export type Round = number | 'live';
const run = (name: string, rest = ''): string => `runs/${encodeURIComponent(name)}${rest}`;

export const api = {
  session: async (token: string): Promise<void> => {
    await post(path('session'), { token });
  },
  runs: (): Promise<Runs> => get(path('runs')),
  run: (name: string): Promise<RunDetail> => get(path(run(name))),
  round: (name: string, round: Round, signal?: AbortSignal): Promise<RoundView> =>
    get(path(run(name, `/rounds/${round}`)), signal),
  map: (name: string, round: Round, signal?: AbortSignal): Promise<MapView> =>
    get(path(run(name, `/rounds/${round}/map`)), signal),
  nodes: (name: string, round: Round, query: Query): Promise<Page<NodeLine>> =>
    get(path(run(name, `/rounds/${round}/nodes`), query)),
  node: (name: string, round: Round, node: string): Promise<NodeDetail> =>
    get(path(run(name, `/rounds/${round}/nodes/${encodeURIComponent(node)}`))),
  workloads: (name: string, round: Round, query: Query): Promise<Page<WorkloadLine>> =>
    get(path(run(name, `/rounds/${round}/workloads`), query)),
  workload: (name: string, round: Round, workload: string): Promise<WorkloadDetail> =>
    get(path(run(name, `/rounds/${round}/workloads/${names(workload)}`))),
  strip: (name: string, from: number | undefined, to: number | undefined): Promise<Strip> =>
    get(path(run(name, '/strip'), { from, to })),
  ribbon: (name: string, pixels: number): Promise<Ribbon> => get(path(run(name, '/ribbon'), { pixels })),
  scores: (name: string, query: Query): Promise<Scores> => get(path(run(name, '/scores'), query)),
  decisions: (name: string, query: Query): Promise<Page<DecisionRow>> =>
    get(path(run(name, '/decisions'), query)),
  events: (name: string, query: Query): Promise<Events> => get(path(run(name, '/events'), query)),
  learning: (name: string): Promise<Learning> => get(path(run(name, '/learning'))),
  ask: (name: string, q: string, round: number | undefined): Promise<Answer> =>
    get(path(run(name, '/ask'), { q, round })),
  names: async (name: string, prefix: string, round: number | undefined): Promise<string[]> =>
    (await get<{ names: string[] }>(path(run(name, '/names'), { prefix, round }))).names,
  stop: async (name: string): Promise<string> => {
    const answer = await post(path(run(name, '/stop')), {});
    return shown((await answer.json()) as { sentence: string }).sentence;
  },
  exportAddress: (name: string, query: Query): string => path(run(name, '/export'), query),
  stream: (name: string, after: string, signal: AbortSignal): Promise<Response> =>
    send(path(run(name, '/stream')), {
      signal,
      headers: { Accept: 'text/event-stream', 'X-Parley': '1', ...(after === '' ? {} : { 'Last-Event-ID': after }) },
    }),
};
