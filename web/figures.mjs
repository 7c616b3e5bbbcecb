// How fast the page is, in a browser against the real binary: first useful paint, message to frame at 5,000 nodes, memory over rounds.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chrome, close, desk, growRun, open, serving, simulate, stopped, until } from '../tests/browser/harness.mjs';

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const shown = async (page) => Number(await page.locator('.sentence dd .figure').first().innerText());
const say = (text) => console.log(`${text} (load average ${os.loadavg()[0].toFixed(1)})`);

async function paint() {
  const server = await serving(['serve', simulate(['--scenario', 'tour', '--rounds', '60'])]);
  await open(server, '/');
  const times = [];
  for (let i = 0; i < 15; i += 1) { // A new context has an empty cache.
    const context = await (await chrome()).newContext({ viewport: desk, storageState: server.state });
    const page = await context.newPage();
    await page.goto(`${server.base}/tour-7/live`);
    times.push(await until('it is painted', () => page.evaluate(() => performance.getEntriesByName('parley.useful')[0]?.startTime)));
    await context.close();
  }
  say(`first useful paint, cold: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms of ${times.length}`);
  await stopped(server.child);
}

async function frames(wanted) {
  const { run, child } = growRun(['5000', '100000', '1000']);
  await until('it began', () => fs.existsSync(path.join(run, 'journal')));
  const server = await serving(['serve', run]);
  const page = await open(server, '/huge/live');
  const read = () => page.evaluate(() => performance.getEntriesByName('parley.frame').map((entry) => entry.duration));
  await until(`${wanted} rounds were shown`, async () => (await read()).length >= wanted, wanted * 4_000);
  const times = await read();
  say(`message to frame, 5,000 nodes, a round a second: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms of ${times.length}`);
  await stopped(child);
  await stopped(server.child);
}

async function memory(rounds) {
  const server = await serving(['demo', '--lines', '--pace', '0.02s', '--rounds', '1000000', '--event-dir', 'long']);
  const page = await open(server, '/');
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.enable');
  const at = [];
  for (const part of [0.1, 0.4, 0.7, 1]) {
    await until('it is shown', async () => (await shown(page)) >= rounds * part, 900_000);
    await tools.send('HeapProfiler.collectGarbage');
    at.push(`${((await tools.send('Runtime.getHeapUsage')).usedSize / 1e6).toFixed(1)} MB at round ${await shown(page)}`);
  }
  say(`heap of the page: ${at.join(', ')}`);
  await stopped(server.child);
}

try {
  const only = process.argv[2] ?? 'paint frames memory';
  if (only.includes('paint')) await paint();
  if (only.includes('frames')) await frames(90);
  if (only.includes('memory')) await memory(5_000);
} finally {
  await close();
}
