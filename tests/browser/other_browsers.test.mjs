// Behaviour of other browsers, imitated in this one: the page must not depend on it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { chromium } from '../../web/node_modules/playwright-core/index.mjs';
import { close, folder, open, serving, simulate, stopped, until, watch } from './harness.mjs';

after(close);

test('a browser that names no language shows the page', async () => {
  const server = await serving(['serve', simulate(['--rounds', '12'])]);
  const first = await open(server, '/tour-7/live');
  await first.context().addInitScript(() => Object.defineProperty(navigator, 'language', { configurable: true, get: () => 'C' }));
  const page = await first.context().newPage();
  watch(page);
  await page.goto(`${server.base}/tour-7/live/scores`);
  await page.locator('.chart canvas').first().waitFor();
  assert.deepEqual(page.complaints, []);
  await stopped(server.child);
});

test('under a name of its own, to which browsers name no site, the page follows the run', async () => {
  const name = 'parley.test';
  const server = await serving(['demo', '--lines', '--pace', '0.3s', '--rounds', '2000', '--event-dir', 'named', '--allow-host', name], { cwd: folder() });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${name} 127.0.0.1`],
  });
  try {
    const page = await browser.newPage();
    watch(page);
    const sites = [];
    page.on('request', async (request) => {
      if (request.url().endsWith('/stream')) sites.push((await request.allHeaders())['sec-fetch-site'] ?? 'none');
    });
    await page.goto(server.link.replace('127.0.0.1', name));
    await until('the stream is open', () => page.locator('footer', { hasText: 'stream open' }).count());
    assert.deepEqual(sites, ['none'], 'else this tests nothing');
    const shown = async () => Number(await page.locator('.sentence dd .figure').first().innerText());
    const before = await shown();
    await until('it follows', async () => (await shown()) > before);
    assert.equal(await page.locator('.band', { hasText: 'No server' }).count(), 0);
    // The browser itself reports that it trusts such an origin less.
    assert.deepEqual(page.complaints.filter((one) => !one.includes('Cross-Origin-Opener-Policy')), []);
  } finally {
    await browser.close();
  }
  await stopped(server.child);
});
