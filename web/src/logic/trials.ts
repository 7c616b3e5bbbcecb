// The history of a tuner: what counts is the best so far.

export function bestSoFar(trials: readonly { value: number | null; state: string }[]): (number | null)[] {
  let best: number | null = null;
  return trials.map((trial) => {
    if (trial.value !== null && (best === null || trial.value > best)) best = trial.value;
    return best;
  });
}
