// The address is the state: /RUN/live, /RUN/142, /RUN/142/node/node-07, ?from=141.

export type View = 'round' | 'nodes' | 'workloads' | 'scores' | 'learning' | 'events' | 'run' | 'ask';
export type When = number | 'live';

export interface Route {
  run: string; // Empty: the current one.
  when: When;
  noRound: string; // Text in the place of a round that is not one; empty: `when` is valid.
  view: View;
  node: string; // Of the node detail, else empty.
  workload: string; // "shop/web" of the workload detail, else empty.
  from: number | null; // The round to compare with.
  ask: string; // The question of the ask view.
}

const views: readonly View[] = ['nodes', 'workloads', 'scores', 'learning', 'events', 'run', 'ask'];

export const home: Route = {
  run: '', when: 'live', noRound: '', view: 'round', node: '', workload: '', from: null, ask: '',
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A stray percent sign is part of the name.
  }
}

function whole(text: string | undefined | null): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function parse(path: string, query: string): Route {
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const search = new URLSearchParams(query);
  const route: Route = { ...home, from: whole(search.get('from')) };
  route.run = parts[0] ?? '';
  const when = parts[1] ?? 'live';
  const round = whole(when);
  if (round !== null && round > 0) route.when = round;
  else if (when !== 'live') route.noRound = when;
  const view = parts[2] ?? '';
  if (view === 'node' && parts[3] !== undefined) {
    route.view = 'nodes';
    route.node = parts.slice(3).join('/');
  } else if (view === 'workload' && parts[3] !== undefined) {
    route.view = 'workloads';
    route.workload = parts.slice(3).join('/');
  } else {
    route.view = views.find((known) => known === view) ?? 'round';
  }
  if (route.view === 'ask') route.ask = search.get('q') ?? '';
  return route;
}

export function address(route: Route): string {
  if (route.run === '') return '/';
  const names = (text: string): string => text.split('/').map(encodeURIComponent).join('/');
  let path = `/${encodeURIComponent(route.run)}/${route.noRound === '' ? route.when : encodeURIComponent(route.noRound)}`;
  if (route.node !== '') path += `/node/${names(route.node)}`;
  else if (route.workload !== '') path += `/workload/${names(route.workload)}`;
  else if (route.view !== 'round') path += `/${route.view}`;
  const query = new URLSearchParams();
  if (route.from !== null) query.set('from', route.from.toString());
  if (route.view === 'ask' && route.ask !== '') query.set('q', route.ask);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The one-time token of a printed link. */
export function tokenOf(fragment: string): string {
  return /^#token=([^&]+)/.exec(fragment)?.[1] ?? '';
}
