// The page is readable: nothing covers anything else, and no distinguishing part of a name is cut off.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { close, folder, open, program, ok, serving, simulate } from './harness.mjs';

/** The tour with other nodes, to have names of any length. */
function renamed(name, count) {
  const file = path.join(folder(), `${name}.yaml`);
  const tour = ok(program, ['scenario', 'show', 'tour']);
  fs.writeFileSync(file, tour
    .replace('name: tour', `name: ${name.slice(0, 8)}`)
    .replace('- name: node', `- name: ${name}`)
    .replace('count: 12', `count: ${count}`)
    .replace(/: node-(07|12)/g, (_, number) => `: ${name}-${number === '12' ? '08' : number}`));
  return simulate(['--scenario', file, '--rounds', '30'], name.slice(0, 8));
}

let server;
before(async () => {
  server = await serving(['serve', renamed('prod-node', 9), renamed('gke-prod-eu-default-pool-7f9c4d2a', 12)]);
});
after(close);

/** For each name: whether its distinguishing part is visible, and whether all of it is. */
const names = (locator) => locator.evaluateAll((all) => all.map((name) => {
  let [left, right] = [0, innerWidth];
  for (let up = name.parentElement; up !== null; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'visible') continue;
    const box = up.getBoundingClientRect();
    [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
  }
  const seen = ({ left: from, right: to, width }) => width > 0 && from >= left && to <= right + 0.5;
  return {
    text: name.textContent,
    whole: [...name.querySelectorAll('.part')].every((part) => part.scrollWidth <= part.clientWidth),
    end: [...name.querySelectorAll('.kept')].every((kept) => seen(kept.getBoundingClientRect())),
  };
}));

test('names keep their ends', async () => {
  for (const [run, whole] of [['prod-nod', true], ['gke-prod', false]]) {
    const page = await open(server, `/${run}/20`);
    await page.getByRole('button', { name: /calm nodes$/ }).click();
    const shown = await names(page.locator('td.node bdi, .risk bdi, .station.forecasts bdi'));
    assert.ok(shown.length > 3, JSON.stringify(shown));
    for (const one of shown) {
      assert.ok(one.end, `the end of ${one.text} is cut off`);
      if (whole) assert.ok(one.whole, `${one.text} has room`);
    }
  }
});

test('the head: the list of runs covers nothing, at any width', async () => {
  const page = await open(server, '/gke-prod/20');
  await page.locator('.sentence h1').waitFor();
  for (const width of [360, 390, 600, 719, 720, 800, 960, 1000, 1099, 1100, 1199, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const parts = await page.locator('header').evaluate((header) =>
      [...header.querySelectorAll('.brand, select, .mode, nav a, :scope > .ask, .age, .stop')]
        .map((part) => ({ name: part.matches('select') ? 'list' : part.closest('nav') ? 'view' : part.className, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .map(({ name, box }) => ({ name, left: box.left, right: box.right, top: box.top, bottom: box.bottom })));
    for (const one of parts) {
      assert.ok(one.left >= 0 && one.right <= width, `${one.name} is outside at ${width}: ${JSON.stringify(one)}`);
      for (const other of parts) {
        const apart = one === other || one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        assert.ok(apart, `${one.name} and ${other.name} overlap at ${width}: ${JSON.stringify([one, other])}`);
      }
    }
    assert.ok(width < 720 || parts.every((one) => one.name === 'view' || one.top < 30), `one row besides the views at ${width}`);
    const wide = (name) => parts.filter((part) => part.name.startsWith(name)).map((part) => part.right - part.left);
    for (const ask of wide('ask')) assert.ok(ask >= 150, `the ask box is ${ask} px wide at ${width}`);
    for (const list of wide('list')) assert.ok(list >= 90, `the list of runs is ${list} px wide at ${width}`);
  }
});

/** What scrolls sideways or exceeds the page, and rows that are taller than a few lines. */
const unreadable = (page) => page.evaluate(() => {
  const found = document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} px wide`] : [];
  for (const each of document.querySelectorAll('main *')) {
    const scrolls = ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1;
    if (scrolls) found.push(`${each.className} scrolls sideways: ${each.scrollWidth} in ${each.clientWidth}`);
  }
  for (const row of document.querySelectorAll('main tr')) {
    const { height, right } = row.getBoundingClientRect();
    if (height > 112 || right > innerWidth - 8) found.push(`${height} px high, to ${right}: ${row.textContent.slice(0, 60)}`);
  }
  for (const word of document.querySelectorAll('main th, main td.word')) {
    // A heading may take several lines, but no word is broken.
    const range = document.createRange();
    range.selectNodeContents(word);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top))).size;
    const words = word.textContent.trim().split(/\s+/).length;
    if (lines > words) found.push(`"${word.textContent}" is broken over ${lines} lines`);
  }
  return found;
});

for (const width of [390, 720, 1024, 1440]) {
  test(`tables can be read at ${width}: no row is a tower, nothing scrolls sideways`, async () => {
    for (const view of ['nodes', 'node/prod-node-07', 'workloads', 'workload/shop/web', 'scores', 'learning', 'events', 'run']) {
      const page = await open(server, `/prod-nod/20/${view}`, { viewport: { width, height: 844 } });
      await page.locator('main h1').first().waitFor();
      if (!['events', 'learning'].includes(view)) await page.locator('main tbody tr').first().waitFor();
      if (view === 'run') await page.getByRole('button', { name: /^Show \d+ defaults$/ }).click();
      assert.deepEqual(await unreadable(page), [], `${view} at ${width}`);
      await page.context().close();
    }
  });
}

test('strip and ribbon agree: a run that fits has no second scale, and its first round is named at its cell', async () => {
  const page = await open(server, '/prod-nod/20');
  const strip = page.locator('.time [role=slider]');
  await strip.locator('canvas').first().waitFor();
  await page.locator('.time .first').waitFor();
  assert.equal(await strip.locator('canvas').count(), 1);
  const [cells, label] = [await strip.boundingBox(), await page.locator('.time .first').boundingBox()];
  const first = cells.x + cells.width - 30 * 8; // A cell is 8 px, the newest of 30 is at the right.
  assert.ok(label.x + label.width <= first && label.x + label.width > first - 24, `the label ends at ${label.x + label.width}, the first cell begins at ${first}`);
  await page.setViewportSize({ width: 320, height: 844 });
  await strip.locator('canvas').nth(1).waitFor();
});

test('what a cell of the strip means is said on focus, on hover and in the table of keys', async () => {
  const page = await open(server, '/prod-nod/20');
  const key = page.locator('.time .key', { hasText: 'who won' });
  assert.ok(!(await key.isVisible()));
  await page.locator('.time [role=slider]').hover();
  await key.waitFor();
  const box = await key.boundingBox();
  assert.ok(box.height < 30 && box.x >= 0 && box.x + box.width <= 1440, `one line: ${JSON.stringify(box)}`);
  await page.mouse.move(0, 0);
  await page.keyboard.press('?');
  await page.getByRole('dialog').locator('text=who won').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('nav[aria-label=Views] a').last().focus();
  while ((await page.evaluate(() => document.activeElement.getAttribute('aria-label'))) !== 'Round') await page.keyboard.press('Tab');
  await key.waitFor();
});

test('the maps name their zones, above their nodes', async () => {
  const page = await open(server, '/prod-nod/20');
  const zones = page.locator('.map').first().locator('.zones span');
  await zones.first().waitFor();
  assert.deepEqual(await zones.allInnerTexts(), ['zone a', 'zone b', 'zone c']);
  const map = await page.locator('.map').first().boundingBox();
  // A node is below its zone's name: a click there opens a node of that zone.
  const second = await zones.nth(1).boundingBox();
  await page.mouse.click(second.x + 5, map.y + map.height - 5);
  await page.locator('main h1', { hasText: 'prod-node-02' }).waitFor();
});

test('a calm round says that nothing is worth a look, and folds the rest', async () => {
  const calm = await serving(['serve', simulate(['--scenario', 'calm', '--mode', 'observe', '--rounds', '60'], 'calm-7')]);
  const page = await open(calm, '/calm-7/live');
  await page.locator('.calm', { hasText: /Nothing worth a look; closest: \S+/ }).waitFor();
  const rows = page.locator('section[aria-label*="Kubernetes shows"] tr[data-row]');
  assert.equal(await rows.count(), 0);
  await page.getByRole('button', { name: /^Show \d+ calm nodes$/ }).click();
  await rows.nth(3).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'nothing is below the fold');
});

test('the score says its unit and its sign, and both sides of a comparison differ', async () => {
  const page = await open(server, '/prod-nod/20');
  const score = page.locator('section[aria-label="Score"]');
  await score.locator('.heading', { hasText: 'in pod-minutes: below zero is what it cost' }).waitFor();
  await score.locator('p', { hasText: /^Weights of the total: A x .*\.$/ }).waitFor();
  assert.equal(await score.getByRole('img', { name: 'Agent D' }).count(), 0, 'D is not in this build');
  await page.getByRole('button', { name: /calm nodes$/ }).click();
  for (const text of await page.locator('td.costs').allInnerTexts()) {
    const [left, sign, right] = text.split(' ');
    assert.ok(sign === '=' || sign === '-' || left !== right, text);
  }
});

test('the trials of a tuner fit, each with its parameters', async () => {
  const params = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`policy.safety.a_long_name_of_a_setting_${i}`, `${0.123456789012345 + i}`]));
  const trials = Array.from({ length: 20 }, (_, number) => ({ number, state: number === 3 ? 'pruned' : 'complete', value: 40 - number / 3, params }));
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open(server, '/prod-nod/20', { viewport });
    await page.route('**/api/runs/*/learning', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.optuna = { ...body.optuna, state: 'done', study: 'parley-tour', trials, best: trials[19], detail: '20 of 20 trials finished, best 33.667' };
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`${server.base}/prod-nod/20/learning`);
    await page.locator('main p', { hasText: 'Best: trial 19, 33.667; less is better.' }).waitFor();
    const first = page.locator('details').first();
    await first.locator('summary', { hasText: '11 parameters' }).focus();
    await page.keyboard.press('Space');
    await first.locator('li', { hasText: 'a_long_name_of_a_setting_10 10.12' }).waitFor();
    await page.keyboard.press('Space');
    assert.deepEqual(await unreadable(page), [], `at ${viewport.width}`);
    await page.context().close();
  }
});
