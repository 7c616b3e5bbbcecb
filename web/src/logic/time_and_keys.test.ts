import { describe, expect, it } from 'vitest';

import { announce, toldNothing } from './announce';
import { complete, completions } from './ask';
import { comparedText, difference } from './difference';
import { command, keyTable, type Press } from './keys';
import { cellLeft, heightOf, ribbonRound, roundAt, showsAll, windowOf } from './strip_layout';

describe('the time strip', () => {
  it('a cell is as high as proposals were overruled', () => {
    expect(['.', 'A', 'A', 'A', 'A', 'A'].map((letter, i) => heightOf({ letter, overruled: i - 1 < 0 ? 0 : i - 1 }))).toEqual([4, 20, 22, 26, 32, 32]);
  });

  it('shows the newest rounds, or those around one further back', () => {
    expect(windowOf(800, 1, 40, 40)).toEqual({ first: 1, last: 40, cell: 8 });
    expect(windowOf(800, 1, 500, 500)).toEqual({ first: 401, last: 500, cell: 8 });
    expect(windowOf(800, 1, 500, 200)).toEqual({ first: 151, last: 250, cell: 8 });
    expect(windowOf(800, 1, 500, 3)).toEqual({ first: 1, last: 100, cell: 8 });
  });

  it('every cell answers for its own round', () => {
    const window = windowOf(800, 1, 500, 500);
    for (let round = window.first; round <= window.last; round += 1) {
      expect(roundAt(cellLeft(round, 800, window) + 4, 800, window)).toBe(round);
    }
    expect(roundAt(4, 800, windowOf(800, 1, 40, 40))).toBeNull();
  });

  it('a run that fits needs no ribbon', () => {
    expect(showsAll(windowOf(800, 1, 100, 100), 1, 100)).toBe(true);
    expect(showsAll(windowOf(800, 1, 101, 101), 1, 101)).toBe(false);
    expect(showsAll(windowOf(800, 5, 600, 20), 5, 600)).toBe(false);
  });

  it('the ribbon spans the run', () => {
    expect([ribbonRound(0, 100, 5, 205), ribbonRound(50, 100, 5, 205), ribbonRound(100, 100, 5, 205), ribbonRound(-9, 100, 5, 205)]).toEqual([5, 105, 205, 5]);
  });
});

describe('the difference of two rounds', () => {
  const before = { headline: 'a', worth: [{ name: 'n1', risk: { value: 0.1, age_s: 1 } }, { name: 'n2', risk: { value: 0.2, age_s: 1 } }], alarms: [] as unknown[] };

  it('matches rows by name, not by place, and ages are no change', () => {
    const now = { headline: 'a', worth: [{ name: 'n2', risk: { value: 0.2, age_s: 9 } }, { name: 'n1', risk: { value: 0.7, age_s: 9 } }], alarms: [] };
    const changes = difference(before, now);
    expect(changes.get('worth.n1.risk.value')).toBe(0.1);
    expect(changes.has('worth.n2.risk.value')).toBe(false);
    expect(changes.has('headline')).toBe(false);
  });

  it('what was not there is said to be new', () => {
    const changes = difference(before, { ...before, worth: [...before.worth, { name: 'n3', risk: { value: 0.5, age_s: 1 } }] });
    expect(changes.has('worth.n3.risk.value')).toBe(true);
    expect(changes.get('worth.n3.risk.value')).toBeUndefined();
    expect(difference(before, structuredClone(before)).size).toBe(0);
  });

  it('names the round that it was compared with, and why it is another', () => {
    expect(comparedText(16, { asked: 10, base: 10 }, 3)).toBe('Compared with round 10, changes carry what they were there.');
    expect(comparedText(16, { asked: 50, base: 50 }, 3)).toBe('Compared with round 50, which came later, changes carry what they are there.');
    expect(comparedText(16, { asked: 999, base: 15 }, 0)).toBe('There is no round 999 to compare with; compared with round 15, the one before: nothing differs.');
    expect(comparedText(1, { asked: 999, base: null }, 0)).toBe('There is no round 999 to compare with, and none before this one.');
    expect(comparedText(1, { asked: 1, base: 1 }, 0)).toBe('A round does not differ from itself.');
  });
});

describe('keys', () => {
  const press = (key: string, more: Partial<Press> = {}): Press => ({ key, shift: false, ctrl: false, typing: false, own: false, ...more });

  it.each([
    [press('ArrowLeft'), 'round_before'], [press('ArrowRight', { shift: true }), 'change_after'], [press('['), 'event_before'],
    [press('Home'), 'first'], [press('l'), 'live'], [press('3'), 'view_3'], [press(' '), 'pause'], [press('?', { shift: true }), 'keys'],
    [press('d', { ctrl: true }), null], [press('d', { typing: true }), null], [press('Escape', { typing: true }), 'leave_field'], [press('Escape'), 'close'],
    [press('ArrowLeft', { own: true }), null], [press('d', { own: true }), 'difference'], [press('x'), null],
  ])('%o is %s', (given, expected) => expect(command(given, false)).toBe(expected));

  it('with letters switched off only arrows, Escape and the table are left', () => {
    expect(['d', 'l', ' ', '1', '/', '['].map((key) => command(press(key), true))).toEqual([null, null, null, null, null, null]);
    expect([command(press('?'), true), command(press('ArrowLeft'), true), command(press('Escape'), true)]).toEqual(['keys', 'round_before', 'close']);
  });

  it('the table names every letter that does something', () => {
    const named = keyTable.map(([keys]) => keys).join(' ');
    for (const key of ['l', 'g', 'j', 'k', '/', 'f', 'm', 'd', 'p', 'y', 'e', 't', '?', '[', ']']) expect(named.split(/[ ,]+/)).toContain(key);
  });
});

describe('what a screen reader is told', () => {
  it('the sentence at most every 10 s, alarms at once', () => {
    let [told, say] = announce(toldNothing, 'one', [], 0);
    expect(say).toEqual({ polite: 'one', urgent: '' });
    [told, say] = announce(told, 'two', ['no sample'], 3_000);
    expect(say).toEqual({ polite: '', urgent: 'Alarm: no sample' });
    [told, say] = announce(told, 'two', ['no sample'], 9_999);
    expect(say).toEqual({ polite: '', urgent: '' });
    [told, say] = announce(told, 'two', ['no sample'], 10_000);
    expect(say).toEqual({ polite: 'two', urgent: '' });
    [told, say] = announce(told, 'two', [], 30_000);
    expect(say).toEqual({ polite: '', urgent: '' });
  });
});

describe('the ask box', () => {
  it.each([
    ['wh', { before: '', prefix: '', wantsName: false }],
    ['why no', { before: 'why ', prefix: 'no', wantsName: true }],
    ['why-not mig', { before: 'why-not ', prefix: 'mig', wantsName: false }],
    ['why-not migrate:no', { before: 'why-not migrate:', prefix: 'no', wantsName: true }],
  ])('knows what %s would complete', (text, expected) => expect(complete(text)).toEqual(expected));

  it('offers questions, actions and names', () => {
    expect(completions('', [])).toEqual(['why ', 'why-not ']);
    expect(completions('why-not mig', [])).toEqual(['why-not migrate:']);
    expect(completions('why no', ['node-01', 'node-02'])).toEqual(['why node-01', 'why node-02']);
    expect(completions('why node-01', ['node-01'])).toEqual([]);
  });
});
