// Going back: the address is the state; a past round does not change and shows what was known in it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, open, serving, simulate, stopped, until } from './harness.mjs';

let server;
before(async () => {
  server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
});
after(close);

const shown = (page) => page.locator('.sentence dd .figure').first().innerText();
const at = (page, round) => until(`round ${round} is shown`, async () => (await shown(page)) === `${round}`);

test('keys walk the rounds and the address follows; back and forward work', async () => {
  const page = await open(server, '/tour-7/live');
  await at(page, 60);
  await page.keyboard.press('ArrowLeft');
  await at(page, 59);
  assert.ok(page.url().endsWith('/tour-7/59'));
  await page.keyboard.press('Home');
  await at(page, 1);
  await page.goBack();
  await at(page, 59);
  await page.goForward();
  await at(page, 1);
  await page.keyboard.press(']');
  await until('an alarm or override is found', async () => Number(await shown(page)) > 1);
  await page.keyboard.press('g');
  await page.getByLabel(/Round 1 to 60/).fill('30');
  await page.keyboard.press('Enter');
  await at(page, 30);
  await page.keyboard.press('Escape');
  await at(page, 60);
  assert.deepEqual(page.complaints, []);
});

test('a past round says so, and shows no number of a later one', async () => {
  const page = await open(server, '/tour-7/30');
  await page.locator('.band', { hasText: 'Round 30, 1m30s before the newest (60)' }).waitFor();
  const view = await page.evaluate(async () => (await fetch('/api/runs/tour-7/rounds/30')).json());
  for (const event of view.events) assert.ok(event.round <= 30, `event of round ${event.round}`);
  const later = page.locator('.later');
  if (view.scores.later !== null) await later.filter({ hasText: `measured later, round ${view.scores.later.closed_round}` }).waitFor();
  const closed = view.scores.last_closed;
  if (closed !== null) assert.ok(closed.closed_round <= 30);
});

test('the strip stays where it was pressed', async () => {
  const page = await open(server, '/tour-7/live');
  await at(page, 60);
  const strip = page.locator('.time canvas').first();
  const box = await strip.boundingBox();
  for (const part of [0.95, 0.9, 0.85]) {
    const before = await shown(page);
    await page.mouse.click(box.x + box.width * part, box.y + 16);
    await until('another round is shown', async () => (await shown(page)) !== before);
    assert.equal((await strip.boundingBox()).y, box.y);
  }
});

test('the difference fades what stayed and says what it was', async () => {
  const page = await open(server, '/tour-7/16'); // Safety takes over: much changes.
  await at(page, 16);
  await page.keyboard.press('d');
  await until('the address says it', () => page.url().includes('from=15'));
  await page.locator('.was').first().waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'nothing is below the fold');
  for (const cell of await page.locator('td:has(.was)').all()) {
    const [now, was] = [await cell.locator('.new').innerText(), await cell.locator('.was').innerText()];
    assert.notEqual(`was ${now.trim()}`, was.trim(), 'what looks the same did not change');
  }
  assert.match(await page.locator('.was').first().innerText(), /^was /);
  assert.ok((await page.locator('.same').count()) > 3);
  await page.keyboard.press('d');
  await until('it is over', async () => (await page.locator('.was').count()) === 0);
});

test('moving on does not end a comparison: keys, strip and jumps keep it, d and Escape end it', async () => {
  const page = await open(server, '/tour-7/16?from=15');
  await at(page, 16);
  const compared = (round, from) => until(`${round} is compared with ${from}`, async () =>
    page.url().endsWith(`/tour-7/${round}?from=${from}`) && (await page.locator('.which', { hasText: `ompared with round ${from}` }).count()) === 1);
  await page.keyboard.press('ArrowRight');
  await compared(17, 16);
  await page.keyboard.press('ArrowLeft');
  await compared(16, 15);
  await page.keyboard.press('Shift+ArrowRight');
  await until('another round is shown', async () => (await shown(page)) !== '16');
  assert.match(page.url(), /\?from=\d+$/);
  await page.goto(`${server.base}/tour-7/20?from=3`); // Not the round before: it was chosen, and stays.
  await at(page, 20);
  await page.keyboard.press('ArrowRight');
  await compared(21, 3);
  await page.keyboard.press('Home');
  await compared(1, 3);
  const strip = page.locator('[aria-label="Round"][role=slider] canvas').first();
  const box = await strip.boundingBox();
  await strip.click({ position: { x: box.width - 10 * 8 - 4, y: 20 } });
  await compared(50, 3);
  await page.keyboard.press('g');
  await page.getByLabel(/Round 1 to 60/).fill('60');
  await page.keyboard.press('Enter');
  await compared(60, 3);
  await page.keyboard.press('Escape');
  await until('the comparison is over', () => page.url().endsWith('/tour-7/60'));
});

test('a view claims to be as it was known then only where it is', async () => {
  const page = await open(server, '/tour-7/30');
  for (const [view, words] of [['', 'As it was known then; what was measured later says so.'], ['/nodes', 'As it was known then'], ['/events', 'As it was known then'], ['/scores', 'As it was known then'],
    ['/learning', 'Learning is shown as it is now'], ['/run', 'The run is shown as it is now'], ['/ask?q=why', 'Answers come from the whole record']]) {
    await page.goto(`${server.base}/tour-7/30${view}`);
    await page.locator('.which', { hasText: words }).waitFor();
    assert.equal(await page.locator('text=Everything as it was known then').count(), 0);
    if (!words.startsWith('As it was')) assert.equal(await page.locator('.which', { hasText: 'As it was known then' }).count(), 0, view);
  }
});

test('how far the twin is off is a median, and says so', async () => {
  const long = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '300'], 'long')]);
  const page = await open(long, '/long/live/scores');
  await until('all of it was read', async () => (await page.evaluate(async () => (await fetch('/api/runs/long/scores')).json())).twin_scores > 2);
  await page.reload();
  await page.locator('main', { hasText: /The twin was off by [\d.]+, the median of \d+ scores\./ }).waitFor();
  await page.locator('main', { hasText: /Total since the start: -[\d.]+ pod-minutes/ }).waitFor();
  for (const view of ['', '/scores']) {
    await page.goto(`${long.base}/long/live${view}`);
    await page.locator('main section').first().waitFor();
    assert.ok(!/on average/.test(await page.locator('body').innerText()), view);
  }
  await stopped(long.child);
});

test('the highest risk says when nothing is at stake there any more', async () => {
  const page = await open(server, '/tour-7/live');
  let round = 60;
  let risk = null;
  for (; round > 0 && (risk === null || risk.aside === ''); round -= 1) {
    risk = await page.evaluate(async (n) => (await (await fetch(`/api/runs/tour-7/rounds/${n}`)).json()).max_risk, round);
  }
  assert.notEqual(risk.aside, '', 'the tour empties a node');
  await page.goto(`${server.base}/tour-7/${round + 1}`);
  const words = await page.locator('.sentence .risk').innerText();
  assert.ok(words.includes(risk.aside) && words.includes(risk.node), words);
  if (risk.next_risk !== null) assert.match(words, new RegExp(`next [^]*${risk.next_node}`));
  assert.ok((await page.locator('.station.forecasts, .station', { hasText: 'Forecasts' }).innerText()).includes(risk.aside));
});

test('a pinned round is what d compares with', async () => {
  const page = await open(server, '/tour-7/20');
  await at(page, 20);
  await page.keyboard.press('p');
  await page.keyboard.press('Shift+ArrowRight');
  await until('another round is shown', async () => (await shown(page)) !== '20');
  await page.keyboard.press('d');
  await until('it compares with 20', () => page.url().includes('from=20'));
});

test('a click on the strip opens that round', async () => {
  const page = await open(server, '/tour-7/live');
  await at(page, 60);
  const strip = page.locator('[aria-label="Round"][role=slider] canvas').first();
  const box = await strip.boundingBox();
  await strip.click({ position: { x: box.width - 10 * 8 - 4, y: 20 } });
  await at(page, 50);
});

test('a link that was copied opens the same round elsewhere', async () => {
  const page = await open(server, '/tour-7/live', { permissions: ['clipboard-read', 'clipboard-write'] });
  await at(page, 60);
  await page.keyboard.press('y');
  const link = await until('the link is in the clipboard', () => page.evaluate(() => navigator.clipboard.readText()));
  assert.ok(link.endsWith('/tour-7/60'), link);
  const other = await open(server, new URL(link).pathname);
  await at(other, 60);
});

test('every view opens in the past, with its own address', async () => {
  for (const [view, words] of [['nodes', 'nodes in round 40'], ['workloads', 'workloads in round 40'], ['scores', 'Scores'], ['learning', 'Learning'], ['events', 'Events up to round 40'], ['run', 'The run']]) {
    const page = await open(server, `/tour-7/40/${view}`);
    await page.locator('main h1', { hasText: words }).waitFor();
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test('a node opens from its row with readings, forecast and history', async () => {
  const page = await open(server, '/tour-7/40');
  await page.locator('section[aria-label*="Kubernetes shows"] tr[data-row]').first().click();
  await page.locator('section[aria-label="Node"] .heading', { hasText: 'Parley believes' }).waitFor();
  assert.match(page.url(), /\/tour-7\/40\/node\/node-\d\d$/);
  assert.ok((await page.locator('section[aria-label="Node"] canvas').count()) >= 2);
  await page.keyboard.press('Escape');
  await page.locator('main h1', { hasText: '12 nodes' }).waitFor();
});

test('events are filtered, searched and exported', async () => {
  const page = await open(server, '/tour-7/live/events');
  await page.getByRole('button', { name: /^decision/ }).click();
  await until('only decisions are left', async () => {
    const kinds = await page.locator('.kind').allInnerTexts();
    return kinds.length > 0 && kinds.every((kind) => kind === 'decision');
  });
  await page.locator('#event-find').fill('node-');
  await until('only those that name a node are left', async () => (await page.locator('.message').allInnerTexts()).every((text) => text.includes('node-')));
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
  assert.match(download.suggestedFilename(), /csv/);
});

test('the list of decisions ends with the round that is shown', async () => {
  const page = await open(server, '/tour-7/30/scores');
  await page.locator('.tables > div:last-child tbody tr').first().waitFor();
  const rounds = (await page.locator('tbody tr').allInnerTexts()).flatMap((row) => /^\s*(\d+)(?: to (\d+))?/.exec(row)?.slice(1).filter(Boolean).map(Number) ?? []);
  assert.ok(rounds.length > 0);
  assert.equal(Math.max(...rounds), 30);
});
