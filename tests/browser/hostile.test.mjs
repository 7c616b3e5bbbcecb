// Names and sentences from the cluster are text and stay text, in every view.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { close, folder, makeRun, open, phone, serving, whole } from './harness.mjs';
import { corpus } from './hostile_strings.mjs';

let server;
before(async () => {
  const file = path.join(folder(), 'strings');
  fs.writeFileSync(file, Buffer.concat(corpus().flatMap((bytes) => [bytes, Buffer.from([0])])));
  server = await serving(['serve', makeRun('hostile', [file])]);
});
after(close);

/** Nothing was executed, nothing was loaded from elsewhere, no string became an element. */
async function unharmed(page, where) {
  assert.deepEqual(page.complaints, [], where);
  const found = await page.evaluate(() => ({
    title: document.title,
    elements: [...document.querySelectorAll('#app script, #app iframe, #app img, #app object, #app base, #app meta, #app style, #app form:not(:has(label)), #app video, #app details, #app math')].map((one) => one.outerHTML.slice(0, 80)),
    handlers: [...document.querySelectorAll('#app *')].filter((one) => [...one.attributes].some((attribute) => attribute.name.startsWith('on'))).length,
    links: [...document.querySelectorAll('#app a')].map((one) => one.href).filter((href) => !href.startsWith(location.origin)),
  }));
  assert.notEqual(found.title, 'owned', where);
  assert.deepEqual([found.elements, found.handlers, found.links], [[], 0, []], where);
}

test('500 strings, each in every field of a round', async () => {
  const page = await open(server, '/hostile/1');
  for (let round = 1; round <= 500; round += whole || round < 80 ? 1 : 6) {
    await page.evaluate((n) => {
      history.pushState(null, '', `/hostile/${n}`);
      dispatchEvent(new PopStateEvent('popstate'));
    }, round);
    await page.waitForFunction((n) => document.querySelector('.sentence dd .figure')?.textContent === `${n}`, round);
    if (round % 25 < 6 || round < 80) await unharmed(page, `round ${round}`);
  }
  await unharmed(page, 'the last');
});

test('every view of a hostile round', async () => {
  for (const view of ['', '/nodes', '/workloads', '/scores', '/learning', '/events', '/run', '/ask?q=why']) {
    for (const viewport of [undefined, phone]) {
      const page = await open(server, `/hostile/2${view}`, viewport ? { viewport } : {});
      await page.waitForTimeout(300);
      await unharmed(page, view);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} scrolls sideways`);
      await page.context().close();
    }
  }
});

test('a node and a workload open by any name', async () => {
  const page = await open(server, '/hostile/1/nodes');
  const rows = page.locator('section[aria-label="Nodes"] tr[data-row]');
  await rows.first().waitFor();
  for (let i = 0; i < 60; i += 6) {
    await rows.nth(i).click();
    await page.locator('section[aria-label="Node"] .heading', { hasText: 'Kubernetes shows' }).waitFor();
    await unharmed(page, `node ${i}`);
    await page.goBack();
    await rows.first().waitFor();
  }
});
