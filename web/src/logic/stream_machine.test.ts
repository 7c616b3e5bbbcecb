import { describe, expect, it } from 'vitest';

import { EventParser } from './sse';
import { idleStream, silenceMs, step, type Do, type StreamEvent, type StreamState } from './stream_machine';

function play(events: [StreamEvent, number][], from: StreamState = idleStream): { state: StreamState; did: Do[] } {
  let state = from;
  const did: Do[] = [];
  for (const [event, now] of events) {
    const [next, todo] = step(state, event, now);
    state = next;
    if (todo !== 'nothing') did.push(todo);
  }
  return { state, did };
}

describe('the stream', () => {
  it('opens when it is wanted and closes when it is not', () => {
    const { state, did } = play([
      [{ kind: 'want', wanted: true }, 0], [{ kind: 'opened' }, 5], [{ kind: 'want', wanted: true }, 6], [{ kind: 'want', wanted: false }, 7],
    ]);
    expect(did).toEqual(['connect', 'disconnect']);
    expect(state.phase).toBe('closed');
  });

  it('tries again, later each time, and remembers since when it was lost', () => {
    let state = play([[{ kind: 'want', wanted: true }, 0], [{ kind: 'opened' }, 1]]).state;
    const waits: number[] = [];
    let now = 1000;
    for (let i = 0; i < 7; i += 1) {
      state = play([[{ kind: 'failed' }, now]], state).state;
      waits.push(state.retryAt - now);
      expect(play([[{ kind: 'tick' }, state.retryAt - 1]], state).did).toEqual([]);
      now = state.retryAt;
      const tried = play([[{ kind: 'tick' }, now]], state);
      expect(tried.did).toEqual(['connect']);
      state = tried.state;
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15000, 15000, 15000]);
    expect(state.lostAt).toBe(1000);
    state = play([[{ kind: 'opened' }, now]], state).state;
    expect([state.lostAt, state.tries]).toEqual([null, 0]);
  });

  it('silence is a loss even if nothing was closed', () => {
    const open = play([[{ kind: 'want', wanted: true }, 0], [{ kind: 'opened' }, 0], [{ kind: 'heard' }, 100]]).state;
    expect(play([[{ kind: 'tick' }, 100 + silenceMs]], open).did).toEqual([]);
    expect(play([[{ kind: 'tick' }, 101 + silenceMs]], open).did).toEqual(['disconnect']);
  });

  it('a closed one stays closed, whatever is still said of it', () => {
    const closed = play([[{ kind: 'want', wanted: true }, 0], [{ kind: 'want', wanted: false }, 1]]).state;
    const { state, did } = play([[{ kind: 'opened' }, 2], [{ kind: 'failed' }, 3], [{ kind: 'tick' }, 99_999]], closed);
    expect([state.phase, did]).toEqual(['closed', []]);
  });

  it('without a session it does not try again', () => {
    const { state, did } = play([[{ kind: 'want', wanted: true }, 0], [{ kind: 'refused' }, 1], [{ kind: 'tick' }, 99_999]]);
    expect([state.phase, did]).toEqual(['refused', ['connect', 'disconnect']]);
  });
});

describe('the text of a stream', () => {
  const text = ': ping\n\nid: 7\nevent: round\ndata: {"a":1,\ndata: "b":2}\n\nevent: status\r\ndata:{}\r\n\r\ndata: cut';
  const whole = [
    { event: 'round', data: '{"a":1,\n"b":2}', id: '7' },
    { event: 'status', data: '{}', id: '7' },
  ];

  it('gives the same messages wherever it is cut', () => {
    for (let at = 0; at <= text.length; at += 1) {
      if (text[at - 1] === '\r') continue; // A lone CR ends a line; the LF after it is an empty one.
      const parser = new EventParser();
      expect([...parser.push(text.slice(0, at)), ...parser.push(text.slice(at))]).toEqual(whole);
    }
  });
});
