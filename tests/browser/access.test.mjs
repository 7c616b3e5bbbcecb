// Accessibility: by keyboard alone, by screen reader, in both themes; and many viewers at once.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';

import { close, desk, open, phone, serving, simulate, until, whole } from './harness.mjs';

const axe = fs.readFileSync(fileURLToPath(new URL('../../web/node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');

let server;
before(async () => {
  server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
});
after(close);

for (const [colorScheme, viewport] of [['dark', desk], ['light', phone], ...(whole ? [['dark', phone], ['light', desk]] : [])]) {
  const where = `${colorScheme}, ${viewport.width} px wide`;
  test(`axe finds nothing, ${where}`, async () => {
    for (const address of ['/tour-7/live', '/tour-7/40', '/tour-7/40?from=39', '/tour-7/40/nodes', '/tour-7/40/node/node-02', '/tour-7/40/workloads', '/tour-7/40/workload/shop/web', '/tour-7/40/scores', '/tour-7/40/learning', '/tour-7/40/events', '/tour-7/40/run', '/tour-7/40/ask?q=why']) {
      const page = await open(server, address, { colorScheme, bypassCSP: true, viewport });
      await page.waitForTimeout(250);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
      assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(' | ')}`), [], `${address}, ${where}`);
      await page.context().close();
    }
  });
}

test('by keyboard alone: every region is reached, a node is opened, asked about and left', async () => {
  const page = await open(server, '/tour-7/40');
  await page.locator('.sentence h1').waitFor();
  const regions = new Set();
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    regions.add(await page.evaluate(() => {
      const focused = document.activeElement;
      const outline = getComputedStyle(focused).outlineStyle;
      const name = focused.closest('[aria-label]:not(input):not(svg)')?.getAttribute('aria-label') ?? focused.tagName;
      return focused === document.body || outline !== 'none' ? name : `no outline: ${focused.outerHTML.slice(0, 80)}`;
    }));
  }
  const all = [...regions].join('; ');
  for (const region of ['Views', 'Round', 'The flow of the round', 'Proposals', 'Events']) assert.ok(all.includes(region), `${region} in ${all}`);
  assert.ok(!all.includes('no outline'), all);
  await page.keyboard.press('Escape');
  await page.goto(`${server.base}/tour-7/40`);
  await page.locator('tr[data-row]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('section[aria-label="Node"]').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('why node-02');
  await page.keyboard.press('Enter');
  await page.locator('section[aria-label="Answer"] pre').waitFor();
  assert.match(await page.locator('pre').innerText(), /node-02/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await page.locator('main h1', { hasText: 'nodes in round' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.getByLabel(/Single letters do nothing/).check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  assert.ok(page.url().endsWith('/nodes'), 'letters are off');
});

test('the ask box completes names', async () => {
  const page = await open(server, '/tour-7/40');
  await page.locator('#ask').fill('why node-0');
  await page.getByRole('option', { name: 'why node-02' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#ask').inputValue(), /^why node-0\d$/);
});

test('a screen reader hears the decision, and an alarm at once', async () => {
  const page = await open(server, '/tour-7/40');
  const polite = page.locator('[aria-live=polite]');
  await until('the sentence is said', async () => (await polite.innerText()).length > 5);
  const view = await page.evaluate(async () => (await fetch('/api/runs/tour-7/rounds/40')).json());
  assert.ok((await polite.innerText()).startsWith(view.headline));
});

test('first useful paint, cold: sentence and proposals within a second', async () => {
  const times = [];
  for (let i = 0; i < 5; i += 1) {
    const page = await open(server, '/tour-7/live');
    await page.locator('section[aria-label="Proposals"] li').first().waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName('parley.useful')[0]?.startTime ?? Infinity));
    await page.context().close();
  }
  times.sort((a, b) => a - b);
  console.log(`first useful paint: median ${times[2].toFixed(0)} ms`);
  assert.ok(Number.isFinite(times[4]));
});

test('motion only where it is wanted', async () => {
  const page = await open(server, '/tour-7/live', { reducedMotion: 'reduce' });
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});
