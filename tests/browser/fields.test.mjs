// Keys that lead into a field, and out of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, open, serving, simulate, until } from './harness.mjs';

let server;
before(async () => {
  server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
});
after(close);

test('g, a number, Enter goes to that round', async () => {
  const page = await open(server, '/tour-7/live');
  await page.locator('.sentence').waitFor();
  await page.keyboard.press('g');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.type('16');
  await page.keyboard.press('Enter');
  await until('round 16 is shown', () => page.url().endsWith('/tour-7/16'));
});

test('Esc clears a field, then leaves it, and keeps the round', async () => {
  for (const view of ['nodes', 'workloads', 'scores', 'events']) {
    const page = await open(server, `/tour-7/40/${view}`);
    const field = page.locator('main input[type=search]');
    await field.fill('node');
    await page.keyboard.press('Escape');
    assert.equal(await field.inputValue(), '', view);
    assert.ok(await field.evaluate((element) => element === document.activeElement), `${view}: the field is still there to type in`);
    await page.keyboard.press('Escape');
    assert.ok(await field.evaluate((element) => element !== document.activeElement), `${view}: the field is left`);
    assert.ok(page.url().endsWith(`/tour-7/40/${view}`), page.url());
    await page.keyboard.press('Escape');
    await until('only then it is live', () => page.url().endsWith(`/tour-7/live/${view}`));
  }
});

test('f opens the events of this round, ready to filter', async () => {
  const page = await open(server, '/tour-7/40/nodes');
  await page.locator('main h1', { hasText: '12 nodes' }).waitFor();
  await page.keyboard.press('f');
  await until('the filter has the focus', () => page.evaluate(() => document.activeElement?.id === 'event-find'));
  assert.ok(page.url().endsWith('/tour-7/40/events'), page.url());
});
