import { describe, expect, it } from 'vitest';

import type { RunCard, StopWord } from '../api/types';
import { isStopped, modeText, stopState, stopText, stoppedText } from './modes';

const card: RunCard = {
  name: 'tour-7', title: 'tour, seed 7', status: 'running', reason: '', mode: 'act', simulated: true, rounds: 20, first_round: 1,
  newest_round: 20, newest_at: 'T+01:00', can_stop: true, stopped: null, leading: null, problem: '', reading: '', damaged: '', last_round: 1,
};
const stop = (more: Partial<StopWord> = {}): StopWord => ({ by: 'session 2 of the dashboard', at: '', after_round: 12, lift: 'parley stop runs/tour-7 --clear', ...more });
const stopped = { ...card, stopped: stop(), can_stop: false };

describe('the stop button', () => {
  it('says what the card says', () => {
    expect(stopState(card, '', '')).toBe('ready');
    expect(stopState(stopped, '', '')).toBe('stopped');
    expect(stopState({ ...stopped, status: 'complete' }, '', '')).toBe('over');
    expect(stopState({ ...card, mode: 'observe', can_stop: false }, '', '')).toBe('sends_nothing');
    expect(stopState(null, '', '')).toBe('none');
  });

  it('can be pressed only where it stops something', () => {
    const states = ['none', 'sends_nothing', 'over', 'stopped', 'ready', 'armed', 'sending'] as const;
    expect(states.filter((state) => stopText(state).can)).toEqual(['ready', 'armed']);
  });

  it('is armed for one run only', () => {
    expect([stopState(card, 'tour-7', ''), stopState(card, 'other', '')]).toEqual(['armed', 'ready']);
    expect([stopState(card, '', 'tour-7'), stopState(card, '', 'other')]).toEqual(['sending', 'ready']);
  });
});

describe('a stopped run', () => {
  it('reads so in its mode', () => {
    expect([modeText('act', true, true), modeText('act', false, true), modeText('dry_run', true)]).toEqual(['stopped (simulated)', 'stopped', 'dry-run (simulated)']);
    expect([isStopped(stopped), isStopped({ ...stopped, status: 'complete' }), isStopped(card), isStopped(null)]).toEqual([true, false, false, false]);
  });

  it('has a shorter word where there is little room', () => {
    expect([modeText('act', true, true, 'sim'), modeText('dry_run', true, false, 'sim'), modeText('act', false, false, 'sim')]).toEqual(['stopped (sim)', 'dry-run (sim)', 'act']);
  });

  it('says after which round and by whom, as far as that is known', () => {
    expect(stoppedText(stop())).toBe('Stopped after round 12 by session 2 of the dashboard.');
    expect(stoppedText(stop({ after_round: 1_200, by: '' }))).toBe('Stopped after round 1,200.');
    expect(stoppedText(stop({ after_round: 0, by: 'user 0 at a terminal' }))).toBe('Stopped from the first round on by user 0 at a terminal.');
    expect(stoppedText(stop({ after_round: null }))).toBe('Stopped by session 2 of the dashboard.');
    expect(stoppedText(stop({ after_round: null, by: '' }))).toBe('Stopped.');
  });
});
