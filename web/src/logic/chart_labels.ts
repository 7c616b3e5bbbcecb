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
