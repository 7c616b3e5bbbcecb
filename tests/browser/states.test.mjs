// Killed, damaged, huge, locked: each state has its own words.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { chrome, close, growRun, makeRun, open, phone, serving, simulate, stopped, until, watch } from './harness.mjs';

after(close);

test('a killed run that is opened later says so', async () => {
  const server = await serving(['serve', makeRun('killed', ['42'])]);
  const page = await open(server, '/killed/live');
  await page.locator('.band', { hasText: 'Ended without closing at round 42' }).waitFor();
  await page.locator('h1', { hasText: 'A safety won: replicate node-07' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Stop/ }).count(), 0);
  assert.deepEqual(page.complaints, []);
  await stopped(server.child);
});

/** The requested round is not shown but reported as lost; the links to its neighbours work. */
async function lost(server, run, round, sentence, beside) {
  const page = await open(server, `/${run}/${round}`);
  const state = page.locator('main .state');
  await state.locator('h1', { hasText: sentence }).waitFor();
  assert.equal(await state.locator('.mark.hatch').count(), 1, 'hatched, as on the strip');
  assert.ok(await page.locator('section.time').isVisible(), 'the strip stays');
  await state.getByRole('button', { name: `Round ${beside}` }).click();
  await page.locator('.sentence h1').waitFor();
  assert.deepEqual(page.complaints, []);
  const narrow = await open(server, `/${run}/${round}`, { viewport: phone });
  await narrow.locator('main .state h1', { hasText: sentence }).waitFor();
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');
}

test('a damaged round says which are whole', async () => {
  const server = await serving(['serve', makeRun('damaged', ['200'])]);
  const page = await open(server, '/damaged/live');
  const cells = await until('all of it was read', async () => {
    const strip = await page.evaluate(async () => (await fetch('/api/runs/damaged/strip')).json());
    return strip.cells.length === 200 && strip.cells;
  });
  const bad = cells.filter((cell) => cell.state === 'damaged').map((cell) => cell.round);
  assert.ok(bad.length > 0, 'the strip marks damaged rounds');
  const [first, last] = [bad[0], bad[bad.length - 1]];
  const said = `Round ${first} is damaged and cannot be read; ${first - 1} and ${last + 1} are whole.`;
  await lost(server, 'damaged', first, said, last + 1);
  await stopped(server.child);
});

test('a compacted round says what is still known', async () => {
  const server = await serving(['serve', makeRun('compacted', ['300'])]);
  const page = await open(server, '/compacted/live');
  const strip = await until('all of it was read', async () => {
    const found = await page.evaluate(async () => (await fetch('/api/runs/compacted/strip')).json());
    const card = await page.evaluate(async () => (await fetch('/api/runs')).json());
    return card.runs[0].reading === '' && found;
  });
  assert.ok(strip.first > 1, 'the first half is gone');
  await lost(server, 'compacted', strip.first - 1, `Round ${strip.first - 1} was compacted: what it held is no longer kept, only that it was. Rounds from ${strip.first} on are whole.`, strip.first);
  await stopped(server.child);
});

test('5,000 nodes, a round every second: readable, and a message is a frame within 100 ms', async () => {
  const { run, child } = growRun(['5000', '400', '1000']);
  await until('it began', () => fs.existsSync(path.join(run, 'journal')));
  const server = await serving(['serve', run]);
  const page = await open(server, '/huge/live');
  await page.locator('h2', { hasText: 'fill is risk' }).waitFor();
  const box = await page.locator('.map canvas').first().boundingBox();
  assert.ok(box.width <= 640 && box.height <= 208, JSON.stringify(box));
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'nothing is below the fold');
  const shown = async () => Number(await page.locator('.sentence dd .figure').first().innerText());
  const first = await shown();
  await until('it follows', async () => (await shown()) >= first + 10);
  const frames = await page.evaluate(() => performance.getEntriesByName('parley.frame').map((entry) => entry.duration).sort((a, b) => a - b));
  assert.ok(frames.length >= 5, `${frames.length} frames`);
  const p95 = frames[Math.floor(frames.length * 0.95)];
  console.log(`message to frame at 5,000 nodes: p95 ${p95.toFixed(0)} ms of ${frames.length}`);
  await page.goto(`${server.base}/huge/live/nodes`);
  await page.locator('main h1', { hasText: '5,000 nodes' }).waitFor();
  assert.ok((await page.locator('tr[data-row]').count()) <= 200, 'rows come as they are scrolled to');
  const narrow = await open(server, '/huge/live', { viewport: phone });
  await narrow.locator('h2', { hasText: 'Nodes by zone' }).waitFor();
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual([...page.complaints, ...narrow.complaints], []);
  await stopped(child);
  await stopped(server.child);
});

test('without a session there is the way to one, and nothing else', async () => {
  const server = await serving(['serve', makeRun('killed', ['3'])]);
  const page = await (await chrome()).newPage();
  watch(page);
  await page.goto(`${server.base}/killed/3`);
  await page.locator('text=parley link').waitFor();
  assert.ok(!(await page.content()).includes('node-07'));
  await page.goto(server.link);
  await page.locator('.sentence h1').waitFor();
  const other = await (await chrome()).newPage();
  await other.goto(server.link);
  await other.locator('text=This link was used or has expired.').waitFor();
  await stopped(server.child);
});

test('several runs can be switched', async () => {
  const server = await serving(['serve', makeRun('killed', ['3']), simulate(['--rounds', '5'])]);
  const page = await open(server, '/killed/live');
  await page.getByLabel('Run', { exact: true }).selectOption('tour-7');
  await until('the other is shown', () => page.url().includes('/tour-7/'));
  await page.locator('.sentence dd .figure', { hasText: '5' }).first().waitFor();
  await stopped(server.child);
});
