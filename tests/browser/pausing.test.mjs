// A paused page does not change, whatever the run does.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, open, serving, stopped, until } from './harness.mjs';

after(close);

const shown = async (page) => Number(await page.locator('.sentence dd .figure').first().innerText());

test('a paused page stands still when the run ends', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.2s', '--rounds', '2000', '--event-dir', 'rest']);
  const page = await open(server, '/rest/live');
  await page.locator('footer', { hasText: 'stream open' }).waitFor();
  await page.keyboard.press(' ');
  await page.locator('.band', { hasText: 'Paused at round' }).waitFor();
  const held = await shown(page);
  await until('more rounds came', async () => /[5-9] new/.test(await page.locator('.band').first().innerText()));
  await stopped(server.child, 'SIGINT');
  await page.locator('.stop', { hasText: 'Run is over' }).waitFor();
  await page.waitForTimeout(1_000);
  assert.equal(await shown(page), held);
  await page.locator('.band', { hasText: `Paused at round ${held}.` }).waitFor();
});
