// When the stream is open, lost or tried again. Pure: events in, what to do out.

export type Phase = 'closed' | 'connecting' | 'open' | 'waiting' | 'refused';

export interface StreamState {
  phase: Phase;
  tries: number; // Failed attempts in a row.
  lostAt: number | null; // When the server was last reachable; null: it is now.
  retryAt: number; // In phase waiting: when to try again.
  heardAt: number; // The last sign of life.
}

export type StreamEvent =
  | { kind: 'want'; wanted: boolean } // Whether the tab is visible and shows the present.
  | { kind: 'opened' }
  | { kind: 'heard' } // A message or a ping.
  | { kind: 'failed' }
  | { kind: 'refused' } // The session is not valid, or no longer.
  | { kind: 'tick' };

export type Do = 'nothing' | 'connect' | 'disconnect';

/** The server pings every 10 s; three missed pings mean a lost connection, whatever TCP says. */
export const silenceMs = 30_000;
const waits = [1_000, 2_000, 4_000, 8_000, 15_000];

export const idleStream: StreamState = {
  phase: 'closed', tries: 0, lostAt: null, retryAt: 0, heardAt: 0,
};

function lost(state: StreamState, now: number): StreamState {
  const wait = waits[Math.min(state.tries, waits.length - 1)] ?? 15_000;
  return {
    ...state, phase: 'waiting', tries: state.tries + 1, lostAt: state.lostAt ?? now, retryAt: now + wait,
  };
}

export function step(state: StreamState, event: StreamEvent, now: number): [StreamState, Do] {
  switch (event.kind) {
    case 'want':
      if (!event.wanted) return [{ ...state, phase: 'closed', tries: 0 }, state.phase === 'closed' ? 'nothing' : 'disconnect'];
      if (state.phase !== 'closed') return [state, 'nothing'];
      return [{ ...state, phase: 'connecting', heardAt: now }, 'connect'];
    case 'opened':
      if (state.phase !== 'connecting') return [state, 'nothing'];
      return [{ ...state, phase: 'open', tries: 0, lostAt: null, heardAt: now }, 'nothing'];
    case 'heard':
      return [{ ...state, heardAt: now }, 'nothing'];
    case 'failed':
      if (state.phase === 'closed' || state.phase === 'waiting' || state.phase === 'refused') return [state, 'nothing'];
      return [lost(state, now), 'disconnect'];
    case 'refused':
      return [{ ...state, phase: 'refused' }, 'disconnect'];
    case 'tick':
      if (state.phase === 'waiting' && now >= state.retryAt) {
        return [{ ...state, phase: 'connecting', heardAt: now }, 'connect'];
      }
      if ((state.phase === 'open' || state.phase === 'connecting') && now - state.heardAt > silenceMs) {
        return [lost(state, now), 'disconnect'];
      }
      return [state, 'nothing'];
  }
}
