// Jumping to the next alarm, override or change of decision, anywhere in a long run.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, open, serving, simulate, stopped, until } from './harness.mjs';

after(close);

const shown = async (page) => Number(await page.locator('.sentence dd .figure').first().innerText());
const at = (page, round) => until(`round ${round} is shown`, async () => (await shown(page).catch(() => 0)) === round);

/** The rounds of a run at which an alarm or an override begins. */
async function events(page, run, newest) {
  const cells = [];
  for (let from = 1; from <= newest; from += 1_000) {
    const to = Math.min(newest, from + 999);
    cells.push(...(await page.evaluate(async (path) => (await fetch(path)).json(), `/api/runs/${run}/strip?from=${from}&to=${to}`)).cells);
  }
  return cells.filter((cell, i) => (cell.alarm && !cells[i - 1]?.alarm) || (cell.overruled > 0 && cells[i - 1]?.letter !== cell.letter)).map((cell) => cell.round);
}

test('[ and ] find what lies thousands of rounds away', async () => {
  const run = simulate(['--scenario', 'mixed', '--seed', '5', '--rounds', '4000'], 'mixed-5');
  const server = await serving(['serve', run]);
  const page = await open(server, '/mixed-5/300');
  await at(page, 300);
  await until('all of it was read', async () => (await page.evaluate(async () => (await fetch('/api/runs')).json())).runs[0].reading === '');
  const all = await events(page, 'mixed-5', 4000);
  const far = all.findIndex((round, i) => round - (all[i - 1] ?? 1) > 801);
  assert.ok(far > 0, 'two of them are further apart than a window');
  const [left, right] = [all[far - 1], all[far]];

  await page.goto(`${server.base}/mixed-5/${left}`);
  await at(page, left);
  await page.keyboard.press(']');
  await at(page, right);
  await page.keyboard.press('[');
  await at(page, left);

  // Two loaded parts with a gap between them: the search does not skip the gap.
  await page.goto(`${server.base}/mixed-5/300`);
  await at(page, 300);
  await page.keyboard.press('l');
  await at(page, 4000);
  for (const round of all.filter((each) => each > 300).reverse()) {
    await page.keyboard.press('[');
    await at(page, round);
  }
  await page.goto(`${server.base}/mixed-5/${all[all.length - 1]}`);
  await at(page, all[all.length - 1]);
  await page.keyboard.press(']');
  await page.locator('.note p', { hasText: 'Nothing of that kind after.' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await stopped(server.child);
});
