import { describe, expect, it } from 'vitest';

import type { OpenActionView, RunCard } from '../api/types';
import { endedText } from './ended';

const open = (label: string): OpenActionView => ({ round: 9, label, target: '', state: 'sent', done: 0, total: 1, expires_at: '', note: '' });
const card = (status: RunCard['status'], reason = ''): Pick<RunCard, 'status' | 'reason' | 'newest_round'> => ({ status, reason, newest_round: 212 });

describe('how a run ended', () => {
  it.each([
    [card('running', 'x'), [], ''],
    [card('complete'), [], ''],
    [card('killed', 'ended without closing'), [], 'Ended without closing at round 212. No action was open.'],
    [card('killed'), [open('shop/web 6 to 7')], 'Ended without closing at round 212. One action is open: shop/web 6 to 7.'],
    [card('killed'), ['a', 'b', 'c', 'd', 'e'].map(open), 'Ended without closing at round 212. 5 actions are open: a, b, c and 2 more.'],
    [card('failed', 'the disk is full'), [], 'Failed at round 212: the disk is full.'],
    [card('stopped', 'By a person.'), [], 'Stopped at round 212: By a person.'],
  ])('%o', (given, actions, expected) => expect(endedText(given, actions)).toBe(expected));
});
