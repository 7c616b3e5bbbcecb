// An export holds what its name says.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, open, serving, simulate, stopped } from './harness.mjs';

after(close);

test('events and scores are exported of the whole run, and called so', async () => {
  const server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
  const page = await open(server, '/tour-7/16/events');
  await page.locator('header', { hasText: 'Whole run' }).getByRole('link', { name: 'CSV' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
  assert.equal(download.suggestedFilename(), 'events.json'); // As the server names it.
  await page.locator('.note p', { hasText: 'Exporting the events of the whole run.' }).waitFor();
  await page.goto(`${server.base}/tour-7/16/scores`);
  await page.getByRole('link', { name: 'Export CSV, whole run' }).waitFor();
  await stopped(server.child);
});
