// What differs between two rounds: paths into the view of a round; rows of lists are matched by name.

export type Changes = ReadonlyMap<string, unknown>; // Path to the old value; undefined: it did not exist.

const keys = ['name', 'role', 'key', 'cause', 'seq', 'kind'] as const;

function keyOf(item: unknown, index: number): string {
  if (item !== null && typeof item === 'object') {
    const record = item as Record<string, unknown>;
    for (const key of keys) {
      const value = record[key];
      if (typeof value === 'string' || typeof value === 'number') return value.toString();
    }
  }
  return index.toString();
}

// Ages change every round, which is no change of what is known; nor are the round's own number and time.
const still = new Set(['age_s', 'round', 'at', 't', 'wall', 'newest_round', 'since_s', 'ready_for_s', 'milliseconds', 'ms', 'changed']);

function walk(was: unknown, now: unknown, path: string, out: Map<string, unknown>): boolean {
  if (now !== null && typeof now === 'object') {
    let changed = false;
    const before = was !== null && typeof was === 'object' ? was : undefined;
    if (before === undefined) out.set(path, was);
    if (Array.isArray(now)) {
      const old = new Map<string, unknown>();
      if (Array.isArray(before)) before.forEach((item, i) => old.set(keyOf(item, i), item));
      now.forEach((item: unknown, i) => {
        const key = keyOf(item, i);
        changed = walk(old.get(key), item, path === '' ? key : `${path}.${key}`, out) || changed;
      });
      if (!Array.isArray(before) || before.length !== now.length) changed = true;
    } else {
      for (const [key, value] of Object.entries(now)) {
        if (still.has(key)) continue;
        const inner = before === undefined ? undefined : (before as Record<string, unknown>)[key];
        changed = walk(inner, value, path === '' ? key : `${path}.${key}`, out) || changed;
      }
    }
    if (changed && !out.has(path)) out.set(path, was);
    return changed || before === undefined;
  }
  if (Object.is(was, now)) return false;
  out.set(path, was);
  return true;
}

/** All paths at which `now` differs from `was`, and those above them. */
export function difference(was: object, now: object): Changes {
  const out = new Map<string, unknown>();
  walk(was, now, '', out);
  out.delete('');
  return out;
}

/** The round that was compared with, and the one that was asked for; null: none. */
export interface Compared {
  asked: number;
  base: number | null;
}

/** The round to compare `to` with, for somebody who compared `round` with `from` and moves there. */
export function baseAt(to: number, { from, round, pinned }: { from: number; round: number; pinned: number | null }): number {
  const follows = from === round - 1 && from !== pinned;
  return follows && to > 1 ? to - 1 : from;
}

/** What the band says about a comparison of `round`; `changes` is their number. */
export function comparedText(round: number, compared: Compared, changes: number): string {
  const { asked, base } = compared;
  if (base === round) return 'A round does not differ from itself.';
  if (base === null) return `There is no round ${asked} to compare with, and none before this one.`;
  const begin = base === asked
    ? `Compared with round ${base}${base > round ? ', which came later' : ''}`
    : `There is no round ${asked} to compare with; compared with round ${base}, the one before`;
  if (changes === 0) return `${begin}: nothing differs.`;
  return `${begin}, changes carry what they ${base > round ? 'are' : 'were'} there.`;
}
