// Names from the cluster: shown as text, cut where they do not differ, and unable to reorder what is around them.

/** The most letters kept at the end of a name: the part that distinguishes replicas. */
const tail = 6;

// Control characters, direction marks and zero-width spaces: an operator must see that they are there.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]/gu;

const written = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The name with invisible characters written out: "a\u202eb". */
export function visible(name: string): string {
  return name.replace(invisible, written);
}

/** The same for a sentence or several: line ends and tabs stay. */
export function readable(text: string): string {
  // prose: marks that nobody sees are written out, whatever the text says.
  return text.replace(invisible, (mark) => (mark === '\n' || mark === '\t' ? mark : written(mark)));
}

/** A part of a name; all parts together are the name. */
export interface Part {
  text: string;
  kept: boolean; // False: it shrinks if there is no room.
  others: number; // Letters of other parts that get room before it does; a part that shrinks earlier counts with its smallest width.
}

/** One letter and the dots: browsers do not draw the dots alone. */
const shrunk = 2;

/** Parts of a name with the order in which they shrink: 1 before 2; 0 is kept. */
function parts(stretches: readonly { text: string; order: number }[]): Part[] {
  return stretches.filter(({ text }) => text !== '').map(({ text, order }) => ({
    text,
    kept: order === 0,
    others: stretches.reduce((sum, other) => sum + (other.order === order || other.text === '' ? 0 : other.order > 0 && other.order < order ? Math.min(shrunk, other.text.length) : other.text.length), 0),
  }));
}

// Cut by counting letters, which have equal width only for these.
const plain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

// A host's own name and its domain; an ending of letters only is not a replica's hash.
const host = /^([^./]+)((?:\.[a-z0-9-]+)*\.[a-z]+)$/i;

/** A name without known others: its start shrinks, its end stays; for a host the domain shrinks first. */
export function halves(name: string): Part[] {
  const text = visible(name);
  if (!plain(text)) return parts([{ text, order: 1 }]);
  const [, own = text, domain = ''] = host.exec(text) ?? [];
  const end = Math.min(tail, Math.floor(own.length / 2));
  const at = own.length - end;
  return parts([{ text: own.slice(0, at), order: 2 }, { text: own.slice(at), order: 0 }, { text: domain, order: 1 }]);
}

interface Word {
  text: string;
  at: number;
}

const wordsOf = (name: string): Word[] => [...name.matchAll(/[^-._:/]+/g)].map((found) => ({ text: found[0], at: found.index }));

/** The common beginning of some words, not cutting a number in two. */
function commonStart(words: readonly string[]): number {
  const [first = ''] = words;
  let same = 0;
  while (same < first.length && words.every((word) => word[same] === first[same])) same += 1;
  return first.slice(0, same).replace(/\d+$/, '').length;
}

/** Which words must be visible so that no two of these names look the same: their indexes, and where in each to begin. */
function telling(all: readonly Word[][]): Map<number, number> {
  const places = all[0]?.map((_, place) => place) ?? [];
  const at = (place: number): string[] => all.map((words) => words[place]?.text ?? '');
  const varying = places.filter((place) => new Set(at(place)).size > 1);
  const apart = (chosen: readonly number[]): boolean => new Set(all.map((words) => chosen.map((place) => words[place]?.text).join('\n'))).size === all.length;
  const cost = (place: number): number => Math.max(...at(place).map((word) => word.length)) - commonStart(at(place));
  const chosen = varying.slice(-1);
  while (!apart(chosen) && chosen.length < varying.length) {
    const left = varying.filter((place) => !chosen.includes(place));
    const enough = left.filter((place) => apart([...chosen, place])).sort((a, b) => cost(a) - cost(b));
    chosen.push(enough[0] ?? left[left.length - 1] ?? 0);
  }
  for (const place of [...chosen].sort((a, b) => b - a)) {
    const fewer = chosen.filter((other) => other !== place);
    if (fewer.length > 0 && apart(fewer)) chosen.splice(chosen.indexOf(place), 1);
  }
  return new Map(chosen.map((place) => [place, commonStart(at(place))]));
}

/** A name with these letters (from, to) kept; short parts between them are kept, too. */
function keeping(name: string, spans: readonly [number, number][]): Part[] {
  const stretches: { text: string; order: number }[] = [];
  let done = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const between = name.slice(done, Math.max(done, from));
    stretches.push({ text: between, order: between.length <= 2 ? 0 : 1 }, { text: name.slice(Math.max(done, from), to), order: 0 });
    done = Math.max(done, to);
  }
  stretches.push({ text: name.slice(done), order: name.length - done <= 2 ? 0 : 1 });
  let order = 0; // The last one shrinks first.
  for (const stretch of stretches.filter((one) => one.order > 0).reverse()) stretch.order = order += 1;
  return parts(stretches);
}

/** How a name looks with the least room. */
const least = (all: readonly Part[]): string => all.map((part) => (part.kept ? part.text : `${part.text.slice(0, 1)}\u2026`)).join('');

/** As much of the end of a name as is unique. */
function ownEnd(name: string, names: readonly string[]): number {
  let letters = Math.min(tail, name.length);
  while (letters < name.length && names.some((other) => other !== name && other.endsWith(name.slice(-letters)))) letters += 1;
  return letters;
}

/** Names of the same kind of thing, each with its distinguishing part kept; by original name. */
export function toldApart(names: readonly string[]): Map<string, Part[]> {
  const shapes = new Map<number, { name: string; text: string; words: Word[] }[]>();
  const found = new Map<string, Part[]>();
  for (const name of names) {
    const text = visible(name);
    const words = wordsOf(text);
    if (!plain(text)) continue;
    const alike = shapes.get(words.length) ?? [];
    alike.push({ name, text, words });
    shapes.set(words.length, alike);
  }
  for (const alike of shapes.values()) {
    if (alike.length === 1) continue;
    const told = telling(alike.map(({ words }) => words));
    for (const { name, text, words } of alike) {
      const spans = [...told].map(([place, from]): [number, number] => {
        const word = words[place] ?? { text: '', at: 0 };
        const end = word.at + word.text.length;
        // All names keep equally much at the end, for the eye.
        return [end === text.length ? Math.min(word.at + from, Math.max(word.at, end - tail)) : word.at + from, end];
      });
      found.set(name, keeping(text, spans));
    }
  }
  const looks = new Map<string, number>();
  for (const all of found.values()) looks.set(least(all), (looks.get(least(all)) ?? 0) + 1);
  const texts = names.map(visible);
  for (const [name, all] of found) {
    const text = visible(name);
    if ((looks.get(least(all)) ?? 0) > 1) found.set(name, keeping(text, [[text.length - ownEnd(text, texts), text.length]]));
  }
  return found;
}

/** How many letters the longest of some names has. */
export function longest(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, [...visible(name)].length), 0);
}

const bare = (text: string): string => text.replace(/^[^\p{L}\p{N}]+/u, '');

/** Ways to name a thing in a few letters, best first. */
const ways: ((kept: readonly string[], letters: number) => string)[] = [
  (kept, letters) => bare(kept.join('-').slice(-letters)),
  (kept, letters) => (kept.join('').replace(/[^\p{L}\p{N}]/gu, '')).slice(-letters),
  (kept, letters) => `${kept.length > 1 ? (kept[0] ?? '').slice(-1) : ''}${(kept[kept.length - 1] ?? '').slice(kept.length > 1 ? 1 - letters : -letters)}`,
  (kept, letters) => (kept[kept.length - 1] ?? '').slice(0, letters),
];

/**
 * What fits into the cells of a map: so many letters of each name that no two in a zone are the same. Where there is no such
 * way, those that would be stay without.
 */
export function cellLabels(names: readonly string[], zones: readonly string[], letters: number): string[] {
  const told = toldApart(names);
  const kept = names.map((name) => (told.get(name) ?? halves(name)).filter((part) => part.kept).map((part) => part.text));
  const used = kept.map((words, i) => (words.length > 0 ? words : [visible(names[i] ?? '')]));
  const counts = (labels: readonly string[]): Map<string, number> => {
    const found = new Map<string, number>();
    labels.forEach((label, i) => found.set(`${zones[i] ?? ''}\n${label}`, (found.get(`${zones[i] ?? ''}\n${label}`) ?? 0) + 1));
    return found;
  };
  const tried = ways.map((way) => used.map((words) => way(words, letters)));
  const best = tried.find((labels) => [...counts(labels).values()].every((many) => many === 1)) ?? tried[0] ?? [];
  const many = counts(best);
  return best.map((label, i) => ((many.get(`${zones[i] ?? ''}\n${label}`) ?? 0) > 1 ? '' : label));
}
