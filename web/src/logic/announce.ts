// What a screen reader is told: the sentence when the decision changes, at most every 10 s; alarms at once.

export interface Told {
  sentence: string; // The last one announced.
  at: number;
  alarms: string; // Those announced.
  waiting: string; // A sentence that has to wait.
}

export const toldNothing: Told = { sentence: '', at: -Infinity, alarms: '', waiting: '' };
const pauseMs = 10_000;

export interface Say {
  polite: string;
  urgent: string;
}

export function announce(told: Told, sentence: string, alarms: readonly string[], now: number): [Told, Say] {
  const say: Say = { polite: '', urgent: '' };
  const next = { ...told };
  const all = alarms.join(' ');
  if (all !== told.alarms) {
    next.alarms = all;
    if (all !== '') say.urgent = `Alarm: ${all}`;
  }
  if (sentence === told.sentence) {
    next.waiting = '';
  } else if (now - told.at >= pauseMs) {
    next.sentence = sentence;
    next.at = now;
    next.waiting = '';
    say.polite = sentence;
  } else {
    next.waiting = sentence;
  }
  return [next, say];
}
