// Shortened names differ from each other, are complete in copies, and reorder nothing.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { close, folder, makeRun, open, phone, serving, simulate, until, whole } from './harness.mjs';
import { corpus } from './hostile_strings.mjs';

const range = (count) => Array.from({ length: count }, (_, i) => i);
const clouds = {
  eks: range(24).map((i) => `ip-10-0-${1 + (i % 2)}-${20 + Math.floor(i / 2)}.eu-west-1.compute.internal`),
  aks: range(24).map((i) => `aks-nodepool${1 + (i % 2)}-${i % 2 === 0 ? '12345678' : '87654321'}-vmss0000${Math.floor(i / 2).toString(36).padStart(2, '0')}`),
  gke: range(24).map((i) => `gke-prod-default-pool-${['1a2b3c4d', '5e6f7a8b', '9c0d1e2f'][i % 3]}-${(i * 1291 + 400_000).toString(36)}`),
};

const strings = (name, all) => {
  const file = path.join(folder(), name);
  fs.writeFileSync(file, Buffer.concat(all.flatMap((text) => [Buffer.from(text), Buffer.from([0])])));
  return file;
};

const turned = 'tour\u202e7-ruot';
let server;
before(async () => {
  const tour = simulate(['--rounds', '20'], 'tour-7');
  fs.cpSync(tour, path.join(path.dirname(tour), turned), { recursive: true });
  server = await serving(['serve', tour, path.join(path.dirname(tour), turned),
    ...Object.entries(clouds).map(([name, all]) => makeRun('named', [strings(name, all)], name)),
    makeRun('hostile', [strings('hostile', corpus())])]);
});
after(close);

/** Each name as it is visible: what is cut off is a dot. */
const looks = (locator) => locator.evaluateAll((all) => all.map((name) => [...name.children].map((part) => {
  if (part.scrollWidth <= part.clientWidth || part.classList.contains('kept')) return part.textContent;
  const letter = part.scrollWidth / [...part.textContent].length;
  return `${[...part.textContent].slice(0, Math.max(0, Math.floor(part.clientWidth / letter) - 1)).join('')}…`;
}).join('')));

/** Shows calm nodes, too, if there are any. */
async function unfold(page) {
  await page.locator('section[aria-label*="Kubernetes shows"] .map').first().waitFor();
  const button = page.getByRole('button', { name: /calm nodes?$/ });
  if ((await button.count()) > 0) await button.click();
}

for (const [cloud, all] of Object.entries(clouds)) {
  test(`nodes of ${cloud} are told apart wherever they are shortened`, async () => {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 800, height: 900 }, phone]) {
      const page = await open(server, `/${cloud}/3/nodes`, { viewport });
      const rows = page.locator('section[aria-label="Nodes"] td.name .name');
      await until('all rows are there', async () => (await rows.count()) === all.length);
      const seen = await looks(rows);
      assert.equal(new Set(seen).size, all.length, `${viewport.width}: ${seen.join(' ')}`);
      await page.goto(`${server.base}/${cloud}/3`);
      await unfold(page);
      const worth = await looks(page.locator('td.node .name'));
      assert.ok(worth.length > 3);
      assert.equal(new Set(worth).size, worth.length, `${viewport.width}: ${worth.join(' ')}`);
      await page.context().close();
    }
  });
}

test('copied rows keep names whole', async () => {
  for (const [run, name] of [['tour-7', 'node-07'], ['eks', clouds.eks[6]], ['aks', clouds.aks[6]]]) {
    const page = await open(server, `/${run}/3`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await unfold(page);
    const row = page.locator('tr[data-row]', { has: page.locator(`bdi[title="${name}"]`) }).first();
    await row.evaluate((element) => {
      const range = document.createRange();
      range.selectNode(element);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    });
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.startsWith(`${name}\t`), JSON.stringify(copied));
    assert.equal(copied.trim().split('\n').length, 1, JSON.stringify(copied));
    await page.context().close();
  }
});

// Marks that reorder neighbouring text, and isolates that are not the page's own.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Texts and attributes that contain such a mark. */
const marks = (page) => page.evaluate((source) => {
  const turns = new RegExp(source, 'u');
  const found = turns.test(document.title) ? [`title ${escape(document.title)}`] : [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (turns.test(node.data)) found.push(`${node.parentElement.tagName} ${escape(node.data.slice(0, 60))}`);
    } else {
      for (const { name, value } of node.attributes) if (name !== 'value' && turns.test(value)) found.push(`${node.tagName} ${name} ${escape(value.slice(0, 60))}`);
    }
  }
  return found;
}, turning.source);

test('a run whose name turns text around does not turn the list of runs', async () => {
  const page = await open(server, '/tour-7/live');
  const options = await page.getByLabel('Run', { exact: true }).locator('option').allTextContents();
  assert.ok(options.some((text) => text.includes('tour\\u202e7-ruot')), JSON.stringify(options));
  for (const text of options) assert.ok(!turning.test(text), JSON.stringify(text));
  await page.getByLabel('Run', { exact: true }).selectOption(turned);
  await page.locator('.sentence h1').waitFor();
  for (const view of ['live', 'live/run', '5', '5/ask?q=why', 'live/learning']) {
    await page.goto(`${server.base}/${encodeURIComponent(turned)}/${view}`);
    await page.locator('main section').first().waitFor();
    await page.waitForTimeout(200);
    assert.deepEqual(await marks(page), [], view);
  }
});

test('no string of a cluster turns anything around, in any view', async () => {
  const page = await open(server, '/hostile/1');
  for (const round of whole ? [51, 52, 60, 120, 190, 260, 300, 330, 400, 480] : [51, 190, 330]) {
    for (const view of ['', '/nodes', '/workloads', '/scores', '/events', '/run', '/ask?q=why']) {
      await page.goto(`${server.base}/hostile/${round}${view}`);
      await page.locator('main section').first().waitFor();
      await page.waitForTimeout(100);
      assert.deepEqual(await marks(page), [], `${round}${view}`);
    }
  }
});
