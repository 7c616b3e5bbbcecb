// Names from the cluster: shown as text, cut in the middle, never able to reorder what is around.

/** How many letters at the end of a name stay at most: the part that tells replicas apart. */
const tail = 6;

// Controls, direction marks and spaces of no width: an operator must see that they are there.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]/gu;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

/** The name with what would be invisible written out: "a\u202eb". */
export function visible(name: string): string {
  return name.replace(invisible, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Where to cut: the start may shrink, the end stays. Right-to-left names are not cut in two. */
export function halves(name: string): [string, string] {
  const text = visible(name);
  const letters = [...text];
  const end = Math.min(tail, Math.floor(letters.length / 2));
  if (end === 0 || rightToLeft.test(text)) return [text, ''];
  return [letters.slice(0, -end).join(''), letters.slice(-end).join('')];
}

/** How many letters the longest of some names has. */
export function longest(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, [...visible(name)].length), 0);
}

/** Cut in the middle to at most `most` letters: "shop/check...-7f9c4". */
export function cut(name: string, most: number): string {
  const letters = [...visible(name)];
  if (letters.length <= most) return letters.join('');
  const end = Math.max(1, Math.min(tail, Math.floor((most - 3) / 2)));
  const start = Math.max(1, most - 3 - end);
  return `${letters.slice(0, start).join('')}...${letters.slice(-end).join('')}`;
}

/** What fits into a cell of a map: the digits at the end, or the last two letters. */
export function cellLabel(name: string): string {
  const digits = /(\d{1,3})\D*$/.exec(name)?.[1];
  return digits ?? [...visible(name)].slice(-2).join('');
}
