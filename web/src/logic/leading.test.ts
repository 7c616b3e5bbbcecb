import { describe, expect, it } from 'vitest';

import type { Leading, RunCard } from '../api/types';
import { endsText, follows, leaderLine, leadingWord } from './leading';

const leading = (more: Partial<Leading> = {}): Leading => ({
  leads: true, epoch: 3, holder: 'worker-1_7_5', since: '2025-03-01T12:03:00Z', ends: '2025-03-01T12:04:10Z', trouble: '', ...more,
});
const card = (more: Partial<RunCard> = {}): RunCard => ({
  name: 'prod', title: '', status: 'running', reason: '', mode: 'act', simulated: false, rounds: 20, first_round: 1, newest_round: 20, newest_at: '',
  can_stop: true, stopped: null, leading: null, problem: '', reading: '', damaged: '', last_round: 20, ...more,
});

describe('who leads', () => {
  it('stands beside the mode', () => {
    expect([leadingWord(leading()), leadingWord(leading({ leads: false })), leadingWord(null)]).toEqual(['leads, epoch 3', 'follows', '']);
  });

  it('is another one only while the run goes on', () => {
    const other = leading({ leads: false });
    expect([follows(card({ leading: other })), follows(card({ leading: leading() })), follows(card()), follows(null)]).toEqual([true, false, false, false]);
    expect([follows(card({ leading: other, status: 'stopped' })), follows(card({ leading: other, mode: 'dry_run' }))]).toEqual([false, false]);
  });

  it('is one line on the page of the run', () => {
    expect(leaderLine(leading())).toBe('this process, epoch 3, since 12:03:00. Ends 12:04:10 unless renewed.');
    expect(leaderLine(leading({ leads: false, holder: 'worker-3_71_5' }))).toBe('worker-3_71_5, epoch 3, since 12:03:00. Ends 12:04:10 unless renewed.');
    expect(leaderLine(leading({ leads: false, epoch: 0, holder: '', since: '', ends: '' }))).toBe('nobody.');
    expect(leaderLine(leading({ leads: false, holder: '', epoch: 0, ends: '', trouble: 'reading the lease: 403' }))).toBe('not known. Could not be asked: reading the lease: 403.');
    expect([leaderLine(null), endsText(leading({ ends: '' }))]).toEqual(['', '']);
  });
});
