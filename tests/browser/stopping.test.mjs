// The page reports a stop as the run does, wherever it was pressed or lifted.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';

import { close, folder, ok, open, program, serving, simulate, stopped, until } from './harness.mjs';

after(close);

const demo = async (name, more = []) => {
  const cwd = folder();
  const server = await serving(['demo', '--lines', '--pace', '0.3s', '--rounds', '2000', '--event-dir', name, ...more], { cwd });
  return { server, run: path.join(cwd, name) };
};
/** The cards of the runs as the server gives them, with changes that this server cannot be made to report. */
const changeCards = (page, change) => page.route('**/api/runs', async (route) => {
  try {
    const answer = await route.fetch();
    const body = await answer.json();
    change(body.runs);
    await route.fulfill({ response: answer, json: body });
  } catch {
    // The page was closed meanwhile.
  }
});
const stop = async (page) => {
  await page.getByRole('button', { name: 'Stop acting' }).click();
  await page.getByRole('button', { name: 'Press again to stop' }).click();
};

test('a stop that is lifted in a terminal is lifted on the page, live and in the past', async () => {
  const { server, run } = await demo('lift');
  const page = await open(server, '/lift/live');
  const past = await open(server, '/lift/1');
  await stop(page);
  let lift = '';
  for (const each of [page, past]) {
    const band = each.locator('.band', { hasText: 'It observes on and sends nothing.' });
    await band.waitFor();
    lift = await until('the band says who it was', async () => /Stopped after round \d+ by session \d+ of the dashboard\. It observes on and sends nothing\. Lift it: parley (stop \S+ --clear)/.exec((await band.innerText()).replace(/\s+/g, ' '))?.[1]);
    await each.locator('.mode', { hasText: 'stopped' }).waitFor();
    assert.equal(await each.getByRole('button', { name: /Stop acting/ }).count(), 0);
  }
  await page.goto(`${server.base}/lift/live/scores`);
  await page.locator('.band', { hasText: `parley ${lift}` }).waitFor();
  ok(program, [...lift.split(' '), '--because', 'all is well']);  // As shown, in whichever folder it is typed; at a terminal it would ask.
  for (const each of [page, past]) {
    await each.getByRole('button', { name: 'Stop acting' }).waitFor();
    await until('the band is gone', async () => (await each.locator('.band', { hasText: 'observes on' }).count()) === 0);
    assert.equal(await each.locator('.mode', { hasText: 'stopped' }).count(), 0);
  }
  ok(program, ['stop', run]);
  for (const each of [page, past]) await each.locator('.band', { hasText: /Stopped after round \d+ by user \d+ at a terminal\.\s+It observes on/ }).waitFor();
  assert.deepEqual([...page.complaints, ...past.complaints], []);
  await stopped(server.child);
});

test('a tab in the past notices that the run goes on, and that it ended', async () => {
  const { server } = await demo('over');
  const page = await open(server, '/over/1');
  const newest = async () => Number(/newest \((\d+)\)/.exec(await page.locator('.which .band').innerText())?.[1] ?? 0);
  const first = await until('the newest is named', newest);
  await until('it grows', async () => (await newest()) > first);
  const copy = await open(server, '/over/1');
  await copy.locator('.now', { hasText: 'Live' }).waitFor();
  // The server of a run ends with it: the answer of its last moment is replayed instead.
  await changeCards(copy, ([card]) => Object.assign(card, { status: 'complete', can_stop: false, newest_round: 77 }));
  await copy.locator('.stop', { hasText: 'Run is over' }).waitFor();
  await copy.locator('.now', { hasText: 'Newest' }).waitFor();
  await copy.locator('.band', { hasText: 'newest (77)' }).waitFor();
  await stopped(server.child);
});

test('a press that armed one run does not stop another', async () => {
  const { server } = await demo('mine');
  const page = await open(server, '/mine/live');
  // Two acting runs, as one server shows them.
  await changeCards(page, (cards) => cards.push({ ...cards[0], name: 'other', title: 'other' }));
  const stops = [];
  await page.route('**/stop', (route) => {
    stops.push(route.request().url());
    return route.fulfill({ json: { round: 1, sentence: 'Stopped.' } });
  });
  await page.reload();
  await page.getByLabel('Run', { exact: true }).selectOption('other');
  await until('the other is chosen', () => page.url().includes('/other/'));
  await page.getByRole('button', { name: 'Stop acting' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Press again to stop' }).waitFor();
  await page.evaluate(() => history.back());
  await until('the first is back', () => page.url().includes('/mine/'));
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  assert.deepEqual(stops, []);
  await stopped(server.child);
});

test('a stop that failed is said until somebody has read it', async () => {
  const { server } = await demo('fails');
  const page = await open(server, '/fails/live');
  await page.route('**/stop', (route) => route.fulfill({ status: 500, json: { error: { sentence: 'The disk is full.', remedy: 'Make room.' } } }));
  await stop(page);
  const said = page.getByRole('alert').filter({ hasText: 'fails was not stopped: The disk is full. Make room.' });
  await said.waitFor();
  assert.match(await said.innerText(), /parley stop fails/);
  await page.waitForTimeout(5_000);
  assert.ok(await said.isVisible(), 'it does not go away by itself');
  await said.getByRole('button', { name: 'Dismiss' }).click();
  await until('it is gone', async () => (await said.count()) === 0);
  await stop(page);
  await said.waitFor();
  await page.getByRole('button', { name: 'Stop acting' }).click();
  await until('a new press is a new try', async () => (await said.count()) === 0);
  await stopped(server.child);
});

test('a run that is not there cannot be stopped', async () => {
  const server = await serving(['serve', simulate(['--rounds', '5'])]);
  const page = await open(server, '/nope/live');
  await page.locator('main .state h1').waitFor();
  await page.locator('.stop', { hasText: 'No run to stop' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Stop/ }).count(), 0);
  await stopped(server.child);
});
