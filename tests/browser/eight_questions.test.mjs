// A person who has never seen Parley finds the answers without scrolling, clicking or guessing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, desk, ok, open, phone, program, serving, simulate, unclipped } from './harness.mjs';

let server;
let round;
let why;

before(async () => {
  const run = simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60']);
  server = await serving(['serve', run]);
  // The round in which most proposals were overruled, by the record.
  const page = await open(server, '/tour-7/live');
  const strip = await page.evaluate(async () => (await fetch('/api/runs/tour-7/strip')).json());
  round = strip.cells.reduce((best, cell) => (cell.overruled > best.overruled ? cell : best)).round;
  why = JSON.parse(ok(program, ['why', run, '--round', `${round}`, '-o', 'json']));
  assert.ok(why.losers.length > 0, 'the tour has a round in which somebody is overruled');
});
after(close);

async function questions(page, few) {
  const winner = why.winners[0];
  const asked = {
    'who won': page.locator('h1', { hasText: why.headline }),
    'on what target': page.locator('li.accepted .wanted', { hasText: winner.row.wanted }),
    why: page.locator('.reason', { hasText: /\S{3,}/ }),
    'who lost, to which rule': page.locator('li.lost .result', { hasText: why.losers[0].rule }),
    'what is late, missing or assumed': page.locator('main, footer').locator('text=/LATE|Missing|missing|Assumed|assumed/').first(),
  };
  if (!few) {
    const target = winner.row.wanted.split(' ').pop();
    asked['what Kubernetes shows for that target'] = page.locator('tr[data-row]', { hasText: target }).locator('td').nth(3);
    asked['what was sent'] = page.locator('section[aria-label="Sent"] tbody tr td').first();
    asked['what came of the last one'] = page.locator('section[aria-label="Score"] .heading').first();
  }
  for (const [question, answer] of Object.entries(asked)) {
    assert.ok(await answer.first().isVisible(), `${question}: no answer on the page of round ${round}`);
    assert.equal(await unclipped(page, answer), '', question);
  }
}

for (const colorScheme of ['dark', 'light']) {
  test(`eight questions at 1440 x 900, ${colorScheme}`, async () => {
    const page = await open(server, `/tour-7/${round}`, { viewport: desk, colorScheme });
    await page.locator('h1', { hasText: why.headline }).waitFor();
    await questions(page, false);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'nothing is below the fold');
    assert.deepEqual(page.complaints, []);
  });

  test(`the first five at 390 x 844, ${colorScheme}`, async () => {
    const page = await open(server, `/tour-7/${round}`, { viewport: phone, colorScheme, hasTouch: true, isMobile: true });
    await page.locator('h1', { hasText: why.headline }).waitFor();
    await questions(page, true);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');
    assert.deepEqual(page.complaints, []);
  });
}

test('the page says the same sentences as the terminal', async () => {
  const page = await open(server, `/tour-7/${round}/ask?q=why`);
  const shown = await page.locator('pre').innerText();
  const printed = ok(program, ['why', '--round', `${round}`, server.child.spawnargs[2]]);
  const words = (text) => text.replace(/\s+/g, ' ').trim();
  for (const sentence of [why.headline, ...why.losers.map((loser) => loser.rule)]) {
    assert.ok(words(shown).includes(sentence) || words(printed).includes(sentence));
  }
  // What later rounds brought is only in the command's answer: the page shows it in those rounds.
  assert.equal(words(shown).split('Closer:')[0], words(printed).split(/Over the whole run|Closer:/)[0]);
});

test('small targets: none on the phone page below 44 px', async () => {
  const page = await open(server, `/tour-7/${round}`, { viewport: phone, hasTouch: true, isMobile: true });
  const small = await page.locator('button:visible, nav a:visible').evaluateAll((all) => all
    .filter((one) => !one.closest('.hidden'))
    .map((one) => {
      const box = one.getBoundingClientRect();
      const more = getComputedStyle(one, '::after').content === 'none' ? 0 : 10;
      return { text: one.textContent.trim().slice(0, 30), height: box.height + more };
    })
    .filter((one) => one.height < 43.5));
  assert.deepEqual(small, []);
});
