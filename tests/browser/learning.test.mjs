// Tuning is visible while it runs, before there is any round, and afterwards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, open, phone, serving, simulate, until } from './harness.mjs';

let server;
before(async () => {
  server = await serving(['serve', simulate(['--rounds', '20'])]);
});
after(close);

const trial = (number, state = 'complete') => ({ number, state, value: state === 'complete' ? 40 - number : null, params: { 'stakes.margin': `${1 + number / 10}` } });
const study = (count, state, more = {}) => {
  const trials = Array.from({ length: count }, (_, i) => trial(i, state === 'running' && i === count - 1 ? 'running' : 'complete'));
  const complete = trials.filter((one) => one.state === 'complete');
  return { state, study: 'parley-mixed', maximizes: false, trials, best: complete[complete.length - 1] ?? null, importance: [], detail: `${complete.length} of 12 trials`, ...more };
};

/** The learning view of a run as `now()` gives it; without rounds, the run has not begun. */
async function learning(page, now, rounds) {
  await page.route('**/api/runs/*/learning', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const optuna = now();
    body.stages = body.stages.map((stage) => (stage.name === 'optuna' ? { ...stage, state: optuna.state, detail: optuna.detail } : stage));
    await route.fulfill({ response: answer, json: { ...body, optuna } });
  });
  if (rounds) return;
  await page.route('**/api/runs', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.runs = body.runs.map((run) => ({ ...run, status: 'running', rounds: 0, newest_round: 0, last_round: 0, first_round: 0 }));
    await route.fulfill({ response: answer, json: body });
  });
  await page.route('**/api/runs/*/rounds/**', (route) => route.fulfill({ status: 404, json: { error: { sentence: 'No round yet.', remedy: 'Choose another round.' } } }));
  await page.route('**/api/runs/*/stream', (route) => route.abort()); // Of the served run, which would say that it is over.
  await page.route('**/api/runs/*/strip*', (route) => route.fulfill({ json: { first: 0, newest: 0, cells: [] } }));
  await page.route('**/api/runs/tour-7', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.stages = [{ name: 'optuna', state: 'running', detail: now().detail, progress: '' }];
    await route.fulfill({ response: answer, json: body });
  });
}

test('before the first round: what is tuned is said, trials come as they are made, the best so far with them', async () => {
  let made = 1;
  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    made = 1;
    const page = await open(server, '/tour-7/live', { viewport });
    await learning(page, () => study(made, made < 12 ? 'running' : 'done', made < 12 ? {} : { importance: [{ name: 'stakes.margin', share: 0.81 }] }), false);
    await page.goto(`${server.base}/tour-7/live`);
    await page.locator('main .state', { hasText: 'No round yet.' }).waitFor();
    await page.locator('main .state', { hasText: /optuna running 0 of 12 trials/ }).waitFor();
    await page.getByRole('button', { name: 'Learning', exact: true }).click();
    await page.locator('main h1', { hasText: 'Learning' }).waitFor();
    made = 5;
    await page.locator('main p', { hasText: 'Best so far: trial 3, 37.000; less is better.' }).waitFor();
    await page.locator('main p', { hasText: 'Importance is not known yet' }).waitFor();
    assert.equal(await page.locator('table.trials tbody tr').count(), 5);
    assert.equal(await page.locator('table.trials tbody tr', { hasText: 'running' }).count(), 1);
    made = 12;
    await page.locator('main p', { hasText: 'Best: trial 11, 29.000' }).waitFor();
    await page.locator('main tr', { hasText: 'stakes.margin' }).first().waitFor();
    assert.equal(await page.locator('table.trials tbody tr').count(), 12);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test('a study that failed shows what it had, one that never was says so', async () => {
  const page = await open(server, '/tour-7/live');
  let optuna = study(4, 'failed', { detail: 'the objective failed in trial 3: out of memory' });
  await learning(page, () => optuna, true);
  await page.goto(`${server.base}/tour-7/live/learning`);
  await page.locator('h2', { hasText: /Optuna.*failed/ }).waitFor();
  await page.locator('main p', { hasText: 'the objective failed in trial 3: out of memory' }).first().waitFor();
  assert.equal(await page.locator('table.trials tbody tr').count(), 4);
  optuna = study(0, 'idle', { best: null, detail: 'nobody asked for it: --trials N does' });
  await page.reload();
  await page.locator('main p', { hasText: 'nobody asked for it' }).first().waitFor();
  assert.equal(await page.locator('table.trials').count(), 0);
  const canvas = page.locator('section[aria-label="Learning"] canvas');
  assert.ok((await canvas.count()) === 0 || optuna.trials.length > 0);
});

test('a trial on the chart opens no round', async () => {
  const page = await open(server, '/tour-7/live');
  await learning(page, () => study(12, 'done'), true);
  await page.goto(`${server.base}/tour-7/live/learning`);
  const chart = page.getByRole('img', { name: 'Value and best so far over trials' });
  await chart.waitFor();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(200);
  await until('the address stays', () => page.url().endsWith('/tour-7/live/learning'));
});

test('demo --trials 12: the real tuner, while it tunes and afterwards', async () => {
  const real = await serving(['demo', '--trials', '12', '--rounds', '30', '--pace', '200ms', '--lines']);
  const page = await open(real, '/tour-7/live');
  await page.goto(`${real.base}/tour-7/live/learning`);
  const told = page.locator('main p', { hasText: /^Best so far: trial \d+, [\d.]+; less is better\./ });
  await told.waitFor();
  const during = await page.locator('table.trials tbody tr').count();
  assert.ok(during >= 1 && during <= 12, `${during} trials while tuning`);
  await page.locator('h2', { hasText: /Optuna.*running/ }).waitFor();

  await page.locator('h2', { hasText: /Optuna.*done/ }).waitFor({ timeout: 600_000 });
  await page.locator('main p', { hasText: /^Best: trial \d+/ }).waitFor();
  assert.equal(await page.locator('table.trials tbody tr').count(), 12);
  await page.locator('main h3', { hasText: 'Importance by PED-ANOVA' }).waitFor();
  // Later rounds do not replace it.
  await until('a round was decided', () => page.evaluate(async () => (await (await fetch('/api/runs')).json()).runs[0].newest_round > 0));
  await page.reload();
  await page.locator('h2', { hasText: /Optuna.*done/ }).waitFor();
  assert.equal(await page.locator('table.trials tbody tr').count(), 12);
  assert.ok(!/did not tune/.test(await page.locator('body').innerText()));
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/learning-done.png`, fullPage: true });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
