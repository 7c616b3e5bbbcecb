import { describe, expect, it } from 'vitest';

import type { EventLine, RunCard } from '../api/types';
import { isStopped, modeText, stopState, stopText, stoppedText } from './modes';

const card: RunCard = {
  name: 'tour-7', title: 'tour, seed 7', status: 'running', reason: '', mode: 'act', simulated: true, rounds: 20, first_round: 1,
  newest_round: 20, newest_at: 'T+01:00', can_stop: true, stopped: false, problem: '', reading: '',
};
const event = (round: number, message: string): EventLine => ({ seq: round, at: '', t: 0, round, kind: 'stage', message });
const noted = (round: number): EventLine => event(round, `Stopped from acting by the owner after round ${round}: nothing is sent any more. Only parley stop --clear lifts it.`);
const recorded = (round: number): EventLine => event(round, 'stopped: nothing is sent any more');

describe('the stop button', () => {
  it('says what the card says', () => {
    expect(stopState(card, '', '')).toBe('ready');
    expect(stopState({ ...card, stopped: true, can_stop: false }, '', '')).toBe('stopped');
    expect(stopState({ ...card, status: 'complete', stopped: true, can_stop: false }, '', '')).toBe('over');
    expect(stopState({ ...card, mode: 'observe', can_stop: false }, '', '')).toBe('sends_nothing');
    expect(stopState({ ...card, can_stop: false }, 'tour-7', '')).toBe('elsewhere');
    expect(stopState(null, '', '')).toBe('none');
  });

  it('can be pressed only where it stops something', () => {
    const states = ['none', 'sends_nothing', 'over', 'stopped', 'elsewhere', 'ready', 'armed', 'sending'] as const;
    expect(states.filter((state) => stopText(state, 'tour-7').can)).toEqual(['ready', 'armed']);
    expect(stopText('elsewhere', 'tour-7').text).toBe('parley stop tour-7');
  });

  it('is armed for one run only', () => {
    expect([stopState(card, 'tour-7', ''), stopState(card, 'other', '')]).toEqual(['armed', 'ready']);
    expect([stopState(card, '', 'tour-7'), stopState(card, '', 'other')]).toEqual(['sending', 'ready']);
  });
});

describe('a stopped run', () => {
  it('reads so in its mode', () => {
    expect([modeText('act', true, true), modeText('act', false, true), modeText('dry_run', true)]).toEqual(['stopped (simulated)', 'stopped', 'dry-run (simulated)']);
    expect([isStopped({ ...card, stopped: true }), isStopped({ ...card, stopped: true, status: 'complete' }), isStopped(card), isStopped(null)]).toEqual([true, false, false, false]);
  });

  it('says after which round and by whom, as far as that is known', () => {
    expect(stoppedText([noted(12)], 0)).toBe('Stopped after round 12 by the owner.');
    expect(stoppedText([recorded(13), noted(12)], 0)).toBe('Stopped after round 12 by the owner.');
    expect(stoppedText([recorded(13)], 0)).toBe('Stopped after round 12.');
    expect(stoppedText([recorded(1)], 0)).toBe('Stopped from the first round on.');
    expect(stoppedText([], 0)).toBe('');
  });

  it('does not take an earlier stop for this one', () => {
    expect(stoppedText([recorded(90), recorded(13), noted(12)], 0)).toBe('Stopped after round 89.');
    expect(stoppedText([recorded(13), noted(12)], 80)).toBe('');
  });
});
