// Asking about a round of the past.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, open, serving, simulate, stopped } from './harness.mjs';

after(close);

test('asking in the past asks once, and each round for itself', async () => {
  const server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
  const page = await open(server, '/tour-7/live');
  const asked = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/runs/tour-7/ask?')) asked.push(request.url());
  });
  await page.goto(`${server.base}/tour-7/16/ask?q=why`);
  await page.locator('pre', { hasText: 'Round 16' }).waitFor();
  assert.equal(await page.getByText('Looking into the record.').count(), 0);
  await page.waitForTimeout(1_000);
  assert.equal(asked.length, 1, asked.join('\n'));
  await page.keyboard.press('ArrowRight');
  await page.locator('pre', { hasText: 'Round 17' }).waitFor();
  await page.waitForTimeout(500);
  assert.equal(asked.length, 2, asked.join('\n'));
  await stopped(server.child);
});
