// The runs that are served, as the head lists them.
import type { RunCard } from '../api/types';

/** What a run is called in the list; its folder comes first where another run has the same title. */
export function runLabel(run: Pick<RunCard, 'name' | 'title' | 'status'>, all: readonly Pick<RunCard, 'title'>[]): string {
  const title = run.title || run.name;
  const twins = all.filter((other) => other.title === run.title).length > 1;
  return `${twins && title !== run.name ? `${run.name}: ` : ''}${title}${run.status === 'running' ? '' : `, ${run.status}`}`;
}
