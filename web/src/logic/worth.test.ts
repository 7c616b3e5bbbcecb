import { describe, expect, it } from 'vitest';

import type { RoundView } from '../api/types';
import { node, proposal, reading, round } from '../testing/round';
import { isOver, isWorthALook, moreRows, nearest, readyText, targetOf } from './worth';

describe('what Kubernetes shows of a node', () => {
  it('is since when it is Ready, since when not, or that nobody knows: which is no gap in what we know', () => {
    expect(readyText({ ready: 'yes', ready_for_s: 11_100 })).toBe('3h05m');
    expect(readyText({ ready: 'no', ready_for_s: 41 })).toBe('no, 41s');
    expect(readyText({ ready: 'unknown', ready_for_s: 41 })).toBe('Unknown');
  });
});

describe('what is worth a look', () => {
  const calm = node('node-01', { over: false, risk: reading(0.002) });

  it('a calm node is not', () => {
    expect(isWorthALook(calm, '')).toBe(false);
    expect(isWorthALook({ ...calm, disk: reading(null) }, '')).toBe(false);
  });

  it.each([
    ['over its limit', { over: true }], ['not Ready', { ready: 'no' as const }], ['of unknown use', { cpu: reading(null) }],
    ['with an old lease', { lease: reading(40, { state: 'late' as const }) }], ['at risk', { risk: reading(0.01) }], ['that differs', { differs: 'x' }],
  ])('a node %s is', (_, more) => expect(isWorthALook({ ...calm, ...more }, '')).toBe(true));

  it('the target of the action is, whatever its state', () => {
    expect(isWorthALook(calm, targetOf(round({ proposals: [proposal({ target: 'node-01' })] })))).toBe(true);
    expect(targetOf(null)).toBe('');
  });

  it('of a calm round the nearest is the one with the least room to its own limit', () => {
    const risky = node('node-02', { risk: reading(0.008), limit: 0.5 });
    expect(nearest([risky, node('node-08', { risk: reading(0.005), limit: 0.02 }), node('node-09', { limit: null })])).toBe('node-08');
    expect(nearest([node('node-09', { limit: 1.2 })])).toBe('');
  });
});

describe('rows that do not fit', () => {
  const one = round({ worth: [node('node-01')], more_nodes: 'what the server says' });

  it('are counted, and what the round does not bring is said where there is more', () => {
    expect(moreRows(one, 3)).toBe('3 more in Nodes; what the server says');
    expect(moreRows({ ...one, cluster: { ...one.cluster, nodes: 1 } }, 3)).toBe('3 more in Nodes');
    expect(moreRows({ ...one, cluster: { ...one.cluster, nodes: null } }, 3)).toBe('3 more in Nodes');
  });
});

describe('a stimulus', () => {
  const put = (more: Partial<NonNullable<RoundView['stimulus']>>) =>
    ({ phase: 'batch-burst', text: '', intent: '', since_s: 54, moves: 'queue', before: 0, now: 0, moved: '', instead: '', ...more });

  it('is over when what it moved is back', () => {
    expect([isOver(put({})), isOver(put({ now: 18 })), isOver(put({ since_s: 3 })), isOver(put({ now: null })), isOver(null)]).toEqual([true, false, false, false, false]);
  });
});
