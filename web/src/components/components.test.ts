// @vitest-environment jsdom
import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { shortFigure, sourceDetail } from '../logic/short_flow';
import { percent } from '../logic/format';
import { app } from '../state/app.svelte';
import type { Leading, RunCard } from '../api/types';
import { agents, node, proposal, reading, round } from '../testing/round';
import Flow from './Flow.svelte';
import Leader from './Leader.svelte';
import Name from './Name.svelte';
import PastBand from './PastBand.svelte';
import Proposals from './Proposals.svelte';
import Sent from './Sent.svelte';
import StopButton from './StopButton.svelte';
import StripKey from './StripKey.svelte';
import TimeStrip from './TimeStrip.svelte';
import Value from './Value.svelte';
import WorthTable from './WorthTable.svelte';

let mounted: object | null = null;

function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): HTMLElement {
  const target = document.createElement('div');
  mounted = mount(component as Component, { target, props });
  flushSync();
  return target;
}

afterEach(() => {
  if (mounted !== null) void unmount(mounted);
  mounted = null;
});

const text = (element: Element | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('a reading', () => {
  it('that is missing is a hatched question mark with its reason', () => {
    const shown = show(Value, { read: reading(null), show: percent });
    expect(text(shown)).toBe('? metrics has no sample of it');
    expect(shown.querySelector('.hatch')).not.toBeNull();
  });

  it('that is late is underlined and says so', () => {
    const shown = show(Value, { read: reading(0.71, { state: 'late' }), show: percent });
    expect(shown.querySelector('.late')).not.toBeNull();
    expect(text(shown)).toBe('71% late');
  });

  it('that is zero reads zero', () => {
    expect(text(show(Value, { read: reading(0), show: percent }))).toBe('0%');
  });
});

describe('a name', () => {
  it('is text, whatever it holds, and whole in copies', () => {
    const hostile = '<img src=x onerror=alert(1)>-7f9c4';
    const shown = show(Name, { name: hostile });
    expect(shown.querySelector('img')).toBeNull();
    expect(shown.querySelector('bdi')?.textContent).toBe(hostile);
    expect(shown.querySelector('.kept')?.textContent).toBe('-7f9c4');
  });
});

describe('a round of the past', () => {
  it('has one way back, in the strip, where it also is in the newest', () => {
    // jsdom has no layout, so the size is set.
    vi.stubGlobal('ResizeObserver', class { observe(): void {} unobserve(): void {} disconnect(): void {} });
    const route = app.route;
    app.route = { ...route, run: 'tour-7', when: 97 };
    app.round = round({ round: 97 });
    app.timeline.newest = 181;

    const strip = show(TimeStrip, {});
    const ways = [...strip.querySelectorAll('button')];
    expect(ways.map(text)).toEqual(['Newest']);
    expect(ways[0]?.classList.contains('past')).toBe(true);
    void unmount(mounted as object);

    const band = show(PastBand, {});
    expect(text(band)).toMatch(/^Round 97, .*newest \(181\)\. As it was known then; what was measured later says so\.$/);
    expect(band.querySelector('button, a')).toBeNull();

    app.route = route;
    app.round = null;
    app.timeline.newest = 0;
    vi.unstubAllGlobals();
  });
});

describe('proposals', () => {
  it('show each once, with its fate in words and not by colour alone', () => {
    const shown = show(Proposals, { proposals: round().proposals });
    const rows = [...shown.querySelectorAll('li')];
    expect(rows.map((row) => text(row.querySelector('.result')))).toEqual([
      'A safety, accepted, 3 of 3 sent guard 12 of 12', 'C admission, lost: action-limit, 1 a round',
    ]);
    expect(rows[0]?.className).toContain('accepted');
    expect(shown.querySelectorAll('svg[role=img]')).toHaveLength(2);
  });

  it('an idle agent wants nothing and has no score', () => {
    const shown = show(Proposals, { proposals: [proposal({ outcome: 'idle', wanted: '-', score: 0.9, result: 'idle: nothing to save' })] });
    expect(text(shown.querySelector('.wanted'))).toBe('nothing');
    expect(text(shown.querySelector('.score'))).toBe('-');
  });
});

describe('an agent that the server lists and the page never heard of', () => {
  const disk = { role: 'disk', letter: 'E', title: 'E disk', here: true };

  it('has its letter, its title and a look of its own', () => {
    app.agents = [...agents, disk];
    const shown = show(Proposals, { proposals: [proposal(), proposal({ role: 'disk', agent: 'E disk' })] });
    const marks = [...shown.querySelectorAll('svg[role=img]')];
    expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual(['Agent A', 'Agent E']);
    expect(marks.map((mark) => (mark as SVGElement).style.color)).toEqual(['var(--agent-0)', 'var(--agent-4)']);
    expect(marks[0]?.querySelector('path')?.getAttribute('d')).not.toBe(marks[1]?.querySelector('path')?.getAttribute('d'));
    expect(shown.querySelector<HTMLElement>('li[data-role=disk]')?.style.getPropertyValue('--agent')).toBe('var(--agent-4)');
    expect(text(show(StripKey, {}))).toContain('D scaling E disk');
    app.agents = [];
  });
});

describe('rows worth a look', () => {
  it('put what is shown beside what is believed', () => {
    const shown = show(WorthTable, { nodes: [node('node-07', { differs: 'Ready, yet over its limit' })], more: '' });
    const cells = [...shown.querySelectorAll('tbody td')].map(text);
    expect(cells).toEqual(['node-07', '3h05m', '4.2s', '71%', '88%', '6', '', '', '0.86', '41.3 > 12.0']);
    expect(shown.querySelector('.mid svg')?.getAttribute('aria-label')).toBe('Ready, yet over its limit');
  });

  it('a node that is not Ready says so', () => {
    const shown = show(WorthTable, { nodes: [node('node-07', { ready: 'no', ready_for_s: 41 })], more: '' });
    expect(text(shown.querySelectorAll('tbody td')[1] ?? null)).toBe('no, 41s');
  });
});

describe('the stop', () => {
  it('is disarmed by a press elsewhere, also where a press gives no focus', async () => {
    app.route = { ...app.route, run: 'tour-7' };
    app.runs = [{
      name: 'tour-7', title: '', status: 'running', reason: '', mode: 'act', simulated: true, rounds: 1, first_round: 1, newest_round: 1,
      newest_at: '', can_stop: true, stopped: null, leading: null, problem: '', reading: '', damaged: '', last_round: 1,
    }];
    const shown = show(StopButton, {});
    document.body.append(shown);
    const button = shown.querySelector('button');
    await app.pressStop();
    flushSync();
    const press = (on: Element): void => {
      on.dispatchEvent(new Event('pointerdown', { bubbles: true }));
      flushSync();
    };
    if (button !== null) press(button);
    expect(text(button)).toContain('Press again to stop');
    press(document.body);
    expect(text(button)).toContain('Stop acting');
    shown.remove();
    app.runs = [];
  });
});

describe('a run that may act beside others', () => {
  const card: RunCard = {
    name: 'prod', title: '', status: 'running', reason: '', mode: 'act', simulated: false, rounds: 1, first_round: 1, newest_round: 1,
    newest_at: '', can_stop: true, stopped: null, leading: null, problem: '', reading: '', damaged: '', last_round: 1,
  };
  const leading = (more: Partial<Leading> = {}): Leading => ({ leads: false, epoch: 3, holder: 'worker-3_71_5', since: '2025-03-01T12:03:00Z', ends: '2025-03-01T12:04:10Z', trouble: '', ...more });
  const says = (who: Leading | null, more: Partial<RunCard> = {}): HTMLElement => {
    app.route = { ...app.route, run: 'prod' };
    app.runs = [{ ...card, leading: who, ...more }];
    const shown = show(Leader, {});
    app.runs = [];
    return shown;
  };

  it('says unmistakably that it follows, and whom', () => {
    expect(text(says(leading()))).toBe('Follower Follows worker-3_71_5, epoch 3, since 12:03:00. It only says what it would do, and sends nothing unless it comes to lead.');
    expect(text(says(leading({ epoch: 0, holder: '', since: '', ends: '' })))).toContain('Nobody leads yet. It only says what it would do');
    expect(text(says(leading({ trouble: 'reading the lease: 403' })))).toContain('No leader could be asked: reading the lease: 403. It only says');
  });

  it('names are text, whatever they hold', () => {
    const shown = says(leading({ holder: '<img src=x onerror=alert(1)>\u202e' }));
    expect(shown.querySelector('img')).toBeNull();
    expect(text(shown.querySelector('bdi'))).toBe('<img src=x onerror=alert(1)>\\u202e');
  });

  it('that leads needs no line, unless that may end', () => {
    expect(text(says(leading({ leads: true })))).toBe('');
    expect(text(says(leading({ leads: true, trouble: 'writing the lease: 503' })))).toBe('Leads, and could not renew that: writing the lease: 503. Ends 12:04:10 unless renewed.');
  });

  it('says nothing where nobody else could lead, and when it is over', () => {
    expect(text(says(null))).toBe('');
    expect(text(says(leading(), { status: 'complete' }))).toBe('');
    expect(text(says(leading(), { mode: 'observe' }))).toBe('');
  });
});

describe('what was sent', () => {
  const sent = { label: 'replicate node-07', requests: [{ request: 'cordon node-07', answer: 'ok', ok: true, ms: null }], state: 'confirmed' as const, expires_at: 'T+37:06', undo: [], note: '', would: false, guard: '12 of 12', from_round: 142 };

  it('measured and would never look the same', () => {
    const real = show(Sent, { round: round({ sent: [sent] }) });
    expect([...real.querySelectorAll('td')].map(text)).toEqual(['cordon node-07', 'ok']);
    const unsent = [{ request: 'cordon node-07', answer: '', ok: false, ms: null }];
    const would = text(show(Sent, { round: round({ sent: [{ ...sent, would: true, requests: unsent }] }) }));
    expect(would).toContain('Would send');
    expect(would).toContain('not sent');
  });

  it('answers of dry runs are shown, and a refusal stands out', () => {
    const requests = [
      { request: 'mark node-07', answer: 'dry run: ok', ok: true, ms: null },
      { request: 'cordon node-07', answer: 'dry run: denied: 403, no', ok: false, ms: null },
      { request: 'evict web-1', answer: '', ok: false, ms: null },
    ];
    const shown = show(Sent, { round: round({ sent: [{ ...sent, would: true, requests }] }) });
    expect([...shown.querySelectorAll('.answer')].map(text)).toEqual(['dry run: ok', 'dry run: denied: 403, no', 'not sent']);
    expect([...shown.querySelectorAll('.failed')].map(text)).toEqual(['dry run: denied: 403, no']);
  });
});

describe('the flow', () => {
  const verdict = { key: 'verdict', title: 'Verdict', figure: 'A replicate node-07', lead: 'A replicate', node: 'node-07', state: 'ok' as const, detail: '', age_s: null };

  it('sets a node apart because the station names one', () => {
    const shown = show(Flow, { round: round({ flow: [verdict] }) });
    expect([text(shown.querySelector('.about')), text(shown.querySelector('.about .name'))]).toEqual(['A replicate node-07', 'node-07']);
  });

  it('and not because its figure ends like one', () => {
    const shown = show(Flow, { round: round({ flow: [{ ...verdict, lead: '', node: '' }] }) });
    expect([text(shown.querySelector('.what .wide')), shown.querySelector('.about')]).toEqual(['A replicate node-07', null]);
  });
});

describe('the flow on a phone', () => {
  it('has one short figure a station', () => {
    const figures = (['stimulus', 'cluster', 'forecasts', 'proposals', 'verdict', 'execution', 'score', 'events'] as const).map((key) => shortFigure(round(), key, agents));
    expect(figures).toEqual(['-', '9', '.86', '2', 'A', '-', '162', '0']);
    expect(shortFigure(round({ max_risk: null }), 'forecasts', agents)).toBe('?');
    const closed = { round: 9, closed_round: 20, at: '', action: '', role: null, by: { efficiency: 0.009 }, total: 0.009, twin: null, state: 'measured' as const, cut: false, text: '', likely: '', left_out: '' };
    expect(shortFigure(round({ scores: { ...round().scores, later: closed } }), 'score', agents)).toBe('+.009');
    expect(shortFigure(round({ scores: { ...round().scores, later: { ...closed, total: 0 } } }), 'score', agents)).toBe('0');
    const idle = { phase: 'idle-power-save', text: '', intent: '', since_s: 3, moves: 'none', before: 0, now: null, moved: '', instead: '' };
    expect(shortFigure(round({ stimulus: idle }), 'stimulus', agents)).toBe('-');
    expect(shortFigure(round({ stimulus: { ...idle, moves: 'queue' } }), 'stimulus', agents)).toBe('?');
  });

  it('names the late source first', () => {
    expect(sourceDetail(round().cluster.sources)).toEqual({ late: 'prometheus 1m34s LATE (limit 1m00s)', rest: 'api 0.4s' });
  });
});
