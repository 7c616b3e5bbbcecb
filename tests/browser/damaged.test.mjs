// A damaged record says in every view which rounds are gone, and is never taken for a shorter one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { close, open, phone, serving, simulate, until } from './harness.mjs';

/** Changes a run's journal: its bytes and how many of them are frames in, what is left of it out. */
function change(run, how) {
  const file = path.join(run, 'journal', '000001.log');
  const bytes = fs.readFileSync(file);
  let end = bytes.length;
  while (bytes[end - 1] === 0) end -= 1;
  fs.writeFileSync(file, how(bytes, end));
  return run;
}

/** Flips a byte of a run's journal, at this share of its length. */
const spoil = (run, share) => change(run, (bytes, end) => {
  bytes[Math.floor(end * share)] ^= 0xff;
  return bytes;
});

/** Cuts a run's journal to this share of its length. */
const cut = (run, share) => change(run, (bytes, end) => bytes.subarray(0, Math.floor(end * share)));

const tour = (name, rounds) => simulate(['--scenario', 'tour', '--seed', '7', '--rounds', `${rounds}`], name);

let server;
before(async () => {
  const headless = cut(tour('headless', 60), 0.5);
  fs.rmSync(path.join(headless, 'journal', 'head'));
  server = await serving(['serve', spoil(tour('tail', 300), 0.45), spoil(tour('short', 60), 0.5), cut(tour('cut', 300), 0.6), headless]);
});
after(close);

async function card(page, name) {
  const { runs } = await page.evaluate(async () => (await fetch('/api/runs')).json());
  return runs.find((run) => run.name === name);
}

test('the rest of a run behind the damage is not forgotten: a band says which rounds, in every view', async () => {
  const page = await open(server, '/tail/live');
  await until('all of it was read', async () => (await card(page, 'tail')).reading === '' && (await card(page, 'tail')).newest_round > 0);
  const { newest_round: whole, last_round: last } = await card(page, 'tail');
  assert.equal(last, 300);
  assert.ok(whole < 300, `the damage goes on to the end: ${whole}`);
  const sentence = `${300 - whole} of 300 rounds are damaged and cannot be read: ${whole + 1} to 300.`;
  for (const view of ['', '/nodes', '/workloads', '/scores', '/learning', '/events', '/run', '/ask']) {
    const at = await open(server, `/tail/live${view}`);
    await at.locator('.band', { hasText: sentence }).waitFor();
    assert.deepEqual(at.complaints, []);
    await at.context().close();
  }
  await page.reload();
  await page.locator('.band', { hasText: `This is round ${whole}, the last that can be.` }).waitFor();
  const shown = await page.locator('body').innerText();
  assert.ok(!shown.includes(`complete after round ${whole}`), shown);
  assert.match(shown, /complete after round 300/);
  assert.match(shown, new RegExp(`300 rounds, ${300 - whole} damaged`));
});

test('a round within the damage says so, and the way to the last whole one is there', async () => {
  const page = await open(server, '/tail/250');
  const { newest_round: whole } = await card(page, 'tail');
  await page.locator('main .state h1', { hasText: `Round 250 is damaged and cannot be read; ${whole} is whole.` }).waitFor();
  await page.getByRole('button', { name: `Round ${whole}` }).click();
  await until('it is shown', async () => (await page.locator('.sentence dd .figure').first().innerText()) === `${whole}`);
  await page.keyboard.press('ArrowRight');
  await page.locator('main .state h1', { hasText: `Round ${whole + 1} is damaged` }).waitFor();
  assert.ok(await page.locator('section.time').isVisible(), 'the strip stays');
  const narrow = await open(server, '/tail/250', { viewport: phone });
  await narrow.locator('.band', { hasText: 'are damaged and cannot be read' }).waitFor();
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');
});

test('time that cannot be read is hatched, on strip and ribbon', async () => {
  const page = await open(server, '/tail/live');
  await page.locator('.time canvas').nth(1).waitFor();
  const ribbon = await page.evaluate(async () => (await fetch('/api/runs/tail/ribbon?pixels=300')).json());
  assert.equal(ribbon.newest, 300);
  assert.equal(ribbon.cells.length, 300);
  const { newest_round: whole } = await card(page, 'tail');
  assert.match(ribbon.cells.slice(whole), /^#+$/);
  /** Which share of a canvas's pixels is drawn on, in a row near its top, from x on. */
  const drawn = (which, from, to) => page.locator('.time canvas').nth(which).evaluate((canvas, [begin, end]) => {
    const left = Math.floor(canvas.width * begin);
    const { data } = canvas.getContext('2d').getImageData(left, 1, Math.floor(canvas.width * end) - left, 1);
    let some = 0;
    for (let i = 3; i < data.length; i += 4) some += data[i] > 0 ? 1 : 0;
    return some / (data.length / 4);
  }, [from, to]);
  await until('the ribbon is hatched', async () => {
    const share = await drawn(1, whole / 300 + 0.02, 0.98);
    return share > 0.1 && share < 0.9;
  });
  const strip = await drawn(0, 0.8, 0.95);
  assert.ok(strip > 0.1 && strip < 0.9, `the strip is hatched: ${strip}`);
});

test('a chart draws no line where nothing is known', async () => {
  const page = await open(server, '/tail/live/scores');
  const { newest_round: whole } = await card(page, 'tail');
  const { series } = await page.evaluate(async () => (await fetch('/api/runs/tail/scores')).json());
  const lost = series.filter((point) => point.round > whole);
  assert.deepEqual(lost.map((point) => [point.round, point.total]), [[whole + 1, null], [300, null]]);
});

test('a short run, damaged in its middle, names its rounds as well', async () => {
  const page = await open(server, '/short/live');
  const { newest_round: whole } = await card(page, 'short');
  await page.locator('.band', { hasText: `rounds are damaged and cannot be read: ${whole + 1} to 60.` }).waitFor();
  await page.getByRole('button', { name: 'Where' }).click();
  await page.locator('main li', { hasText: /segment 000001, bytes? \d+/ }).waitFor();
});

test('a run whose journal was cut is as long as it was acknowledged to be, and not a short one that was killed', async () => {
  const page = await open(server, '/cut/live');
  await until('all of it was read', async () => (await card(page, 'cut')).reading === '' && (await card(page, 'cut')).newest_round > 0);
  const { newest_round: whole, last_round: last, damaged } = await card(page, 'cut');
  assert.equal(last, 300);
  assert.ok(whole > 100 && whole < 250, `it was cut: ${whole}`);
  const sentence = `${300 - whole} of 300 rounds are damaged and cannot be read: ${whole + 1} to 300.`;
  assert.equal(damaged, sentence);
  await page.locator('.band', { hasText: sentence }).waitFor();
  await page.reload();
  await page.locator('.band', { hasText: `This is round ${whole}, the last that can be.` }).waitFor();
  const shown = await page.locator('body').innerText();
  assert.match(shown, /Its end is lost at round 300\. What was open then cannot be read\./);
  assert.ok(!/ended without closing/i.test(shown), shown);
  assert.match(shown, new RegExp(`300 rounds, ${300 - whole} damaged`));
  const ribbon = await page.evaluate(async () => (await fetch('/api/runs/cut/ribbon?pixels=300')).json());
  assert.match(ribbon.cells.slice(whole), /^#+$/);
  assert.equal(ribbon.cells.length, 300);
  const inside = await open(server, '/cut/280');
  await inside.locator('main .state h1', { hasText: `Round 280 is damaged and cannot be read; ${whole} is whole.` }).waitFor();
  assert.ok(await inside.locator('section.time').isVisible(), 'the strip stays');
});

test('where the head of a cut journal is gone as well, the derived files still tell how long it was', async () => {
  const page = await open(server, '/headless/live');
  await until('all of it was read', async () => (await card(page, 'headless')).newest_round > 0);
  const { newest_round: whole, last_round: last } = await card(page, 'headless');
  assert.equal(last, 60);
  await page.locator('.band', { hasText: `At least ${60 - whole} of 60 rounds are damaged and cannot be read: ${whole + 1} to 60.` }).waitFor();
});
