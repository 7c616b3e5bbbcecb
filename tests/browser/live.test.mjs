// A running run: the page follows it, loses its server, reconnects, stops it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { close, cuttable, open, serving, stopped, until, whole } from './harness.mjs';

after(close);

const shown = async (page) => Number(await page.locator('.sentence dd .figure').first().innerText());

test('a failing node is followed to the verdict, live', async () => {
  const server = await serving(['demo', '--lines', '--scenario', 'tour', '--seed', '7', '--pace', '1s', '--rounds', '1000', '--event-dir', 'tour-7']);
  const page = await open(server, '/');
  const first = await until('a round is shown', () => shown(page).catch(() => 0));
  await until('the page follows', async () => (await shown(page)) > first);
  // A second a round: the fault comes in round 16.
  await page.locator('h1', { hasText: /^\s*A safety won: / }).waitFor();
  await page.keyboard.press(' ');
  const headline = await page.locator('.sentence h1').innerText();
  const node = /node-\d\d/.exec(headline)?.[0];
  assert.ok(node, headline);
  const row = page.locator('section[aria-label*="Kubernetes shows"] tr[data-row]', { hasText: node });
  await row.waitFor();
  await page.locator('li.accepted[data-role=safety] .wanted', { hasText: node }).waitFor();
  await page.locator('.band', { hasText: 'Paused at round' }).waitFor();
  await page.locator('.band', { hasText: /[0-9]+ new/ }).waitFor();
  assert.deepEqual(page.complaints, []);
  await stopped(server.child);
});

test('losing and regaining the server', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.2s', '--rounds', '2000', '--event-dir', 'lost']);
  const line = await cuttable(server);
  const page = await open(line, '/');
  const known = await until('a round is shown', () => shown(page).catch(() => 0));
  await line.cut();
  const band = page.locator('.band', { hasText: 'No server for' });
  await band.waitFor();
  assert.match(await band.innerText(), /This is round \d+ as of \d\d:\d\d:\d\d; the loop may still be running\. (Next try in \d+s|Trying now)\./);
  assert.ok(await page.locator('.sentence h1').isVisible(), 'what was known stays');
  assert.ok(await page.getByRole('button', { name: /Stop acting/ }).isVisible(), 'the stop stays');
  await page.waitForTimeout(2_000);
  await line.restore();
  await until('the page is back', async () => (await band.count()) === 0);
  await until('it follows again', async () => (await shown(page)) > known + 5);
  const strip = await page.evaluate(async () => (await fetch(`/api/runs/lost/strip`)).json());
  assert.ok(strip.cells.length > known, 'no round is missing');
  // Killed without a message: a run ended by a person tells its viewers, and then nothing is lost.
  await stopped(server.child, 'SIGKILL');
  await band.waitFor();
  assert.deepEqual(page.complaints, []);
});

test('a run that a person ends says so, and is not taken for a lost server', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.2s', '--rounds', '2000', '--event-dir', 'ended']);
  const page = await open(server, '/');
  await until('the stream is open', () => page.locator('footer', { hasText: 'stream open' }).count());
  await stopped(server.child, 'SIGINT');
  await page.locator('button, .stop', { hasText: 'Run is over' }).first().waitFor();
  assert.equal(await page.locator('.band', { hasText: 'No server for' }).count(), 0);
  assert.ok(await page.locator('.sentence h1').isVisible(), 'its last round stays');
});

test('a hidden tab, or one in the past, holds no stream; ten tabs all work', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.3s', '--rounds', '2000', '--event-dir', 'tabs']);
  const first = await open(server, '/');
  await until('the stream is open', () => first.locator('footer', { hasText: 'stream open' }).count());
  await first.keyboard.press('ArrowLeft');
  await until('in the past it is closed', () => first.locator('footer', { hasText: 'stream closed' }).count());
  await first.keyboard.press('l');
  await until('live it is open again', () => first.locator('footer', { hasText: 'stream open' }).count());
  // Tabs of one context share the browser's six connections per host.
  const tabs = [first];
  // A headless browser never hides a tab, so the test does.
  const hide = async (tab, hidden) => {
    await tab.evaluate((is) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    await until(hidden ? 'hidden, it has closed its stream' : 'shown, it has opened its stream',
      () => tab.locator('footer', { hasText: hidden ? 'stream closed' : 'stream open' }).count());
  };
  for (let i = 1; i < 10; i += 1) {
    await hide(tabs[i - 1], true);
    const tab = await first.context().newPage();
    await tab.goto(`${server.base}/`);
    await tab.locator('.sentence').waitFor();
    tabs.push(tab);
  }
  await hide(tabs[9], true);
  for (const tab of tabs) {
    await hide(tab, false);
    const before = await until('it shows a round', () => shown(tab).catch(() => 0));
    await until('it follows', async () => (await shown(tab)) > before);
    await hide(tab, true);
  }
  await stopped(server.child);
});

test('one press arms, the next stops; it stays stopped', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.3s', '--rounds', '2000', '--event-dir', 'halt']);
  const page = await open(server, '/');
  await page.getByRole('button', { name: 'Stop acting' }).click();
  await page.getByRole('button', { name: 'Press again to stop' }).waitFor();
  await page.locator('.sentence').click();
  await page.getByRole('button', { name: 'Stop acting' }).waitFor();
  await page.getByRole('button', { name: 'Stop acting' }).click();
  await page.getByRole('button', { name: 'Press again to stop' }).click();
  await page.locator('.stop', { hasText: 'Stopped' }).waitFor();
  await page.reload();
  await page.locator('.stop', { hasText: 'Stopped' }).waitFor();
  for (const view of ['nodes', 'scores', 'events', 'learning', 'run']) {
    await page.goto(`${server.base}/halt/live/${view}`);
    await page.locator('.stop', { hasText: 'Stopped' }).waitFor();
  }
  await stopped(server.child);
});

test('no growth of memory over rounds', async () => {
  const server = await serving(['demo', '--lines', '--pace', '0.02s', '--rounds', '1000000', '--event-dir', 'long']);
  const page = await open(server, '/');
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.enable');
  const heap = async (round) => {
    await until(`round ${round} is shown`, async () => (await shown(page)) >= round, 600_000);
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize;
  };
  const early = await heap(300);
  const late = await heap(whole ? 1500 : 800);
  const at = await shown(page);
  console.log(`heap of the page: ${(early / 1e6).toFixed(1)} MB early, ${(late / 1e6).toFixed(1)} MB at round ${at}`);
  assert.ok(late - early < 4e6, `${early} to ${late} bytes`);
  await stopped(server.child);
});
