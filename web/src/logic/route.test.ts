import { describe, expect, it } from 'vitest';

import { address, home, parse, tokenOf } from './route';

describe('the address is the state', () => {
  it.each([
    ['/', ''],
    ['/tour-7/live', ''],
    ['/tour-7/142', '?from=141'],
    ['/tour-7/142/node/node-07', ''],
    ['/tour-7/142/workload/shop/web', ''],
    ['/tour-7/live/events', ''],
    ['/tour-7/142/nodes', ''],
    ['/tour-7/142/ask', '?q=why+node-07'],
    ['/a%20b%2Fc/3/node/%3Cscript%3E', ''],
  ])('%s%s comes back the same', (path, query) => {
    expect(address(parse(path, query))).toBe(path + query);
  });

  it('reads what it names', () => {
    expect(parse('/tour-7/142/workload/shop/web', '?from=3')).toEqual({
      ...home, run: 'tour-7', when: 142, view: 'workloads', workload: 'shop/web', from: 3,
    });
    expect(parse('/tour-7', '')).toEqual({ ...home, run: 'tour-7' });
  });

  it.each(['abc', '-1', '0', '1234567890123456', 'a b'])('"%s" is no round, and not taken for live', (text) => {
    const route = parse(`/tour-7/${encodeURIComponent(text)}/nodes`, '');
    expect(route).toEqual({ ...home, run: 'tour-7', noRound: text, view: 'nodes' });
    expect(address(route)).toBe(`/tour-7/${encodeURIComponent(text)}/nodes`);
  });

  it('what it does not understand is the round, or left alone', () => {
    expect(parse('/tour-7/live/nothing', '?from=x')).toEqual({ ...home, run: 'tour-7' });
    expect(parse('/%zz/1', '').run).toBe('%zz');
  });

  it('takes the token out of a printed link', () => {
    expect([tokenOf('#token=abc_-1'), tokenOf('#other'), tokenOf('')]).toEqual(['abc_-1', '', '']);
  });
});
