// Labels at line ends: moved apart so that none covers another, order kept.

export function spread(places: readonly number[], gap: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const out = [...places];
  let last = -Infinity;
  for (const i of order) {
    const place = Math.max(places[i] ?? 0, last + gap);
    out[i] = place;
    last = place;
  }
  return out;
}

/** Where no line has a value: from the first round without one to the next with one, or to the end. */
export function gapsOf(rounds: readonly number[], lines: readonly (readonly (number | null)[])[]): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  let open: number | null = null;
  rounds.forEach((round, i) => {
    const known = lines.some((values) => (values[i] ?? null) !== null);
    if (!known) open ??= round;
    else if (open !== null) {
      gaps.push({ from: open, to: round });
      open = null;
    }
  });
  const last = rounds[rounds.length - 1];
  if (open !== null && last !== undefined) gaps.push({ from: open, to: last });
  return gaps;
}
