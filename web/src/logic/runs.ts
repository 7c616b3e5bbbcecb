// The runs that are served, as the head lists them.
import type { RunCard } from '../api/types';

/** The name of a run in the list; with its folder first if another run has the same title. */
export function runLabel(run: Pick<RunCard, 'name' | 'title' | 'status'>, all: readonly Pick<RunCard, 'title'>[]): string {
  const title = run.title || run.name;
  const twins = all.filter((other) => other.title === run.title).length > 1;
  return `${twins && title !== run.name ? `${run.name}: ` : ''}${title}${run.status === 'running' ? '' : `, ${run.status}`}`;
}
