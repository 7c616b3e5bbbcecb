// A tab that was hidden for a while.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, open, serving, stopped, until } from './harness.mjs';

after(close);

test('a tab that was hidden for long has every round when it is shown again', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.02s', '--rounds', '1000000', '--event-dir', 'hidden']);
  const page = await open(server, '/hidden/live');
  await page.locator('footer', { hasText: 'stream open' }).waitFor();
  const hide = (hidden) => page.evaluate((is) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  const newest = () => page.evaluate(async () => (await (await fetch('/api/runs')).json()).runs[0].newest_round);
  await hide(true);
  const before = await newest();
  await until('more rounds came than a stream repeats', async () => (await newest()) > before + 300);
  const asked = [];
  page.on('request', (request) => {
    const found = /\/strip\?from=(\d+)&to=(\d+)/.exec(request.url());
    if (found !== null) asked.push([Number(found[1]), Number(found[2])]);
  });
  await hide(false);
  // At this width the strip shows some 160 rounds: all that were missed are fetched.
  await until('the missing rounds were fetched', () => asked.some(([from, to]) => to - from > 100 && to > before + 250));
  assert.deepEqual(page.complaints, []);
  await stopped(server.child);
});
