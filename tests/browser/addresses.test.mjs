// Addresses that name no round, or a round to compare with that does not exist.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, open, serving, simulate, until } from './harness.mjs';

let server;
before(async () => {
  server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60'])]);
});
after(close);

test('an address without such a round says so, and leads to the newest', async () => {
  for (const wrong of ['abc', '-1', '1234567890123456', '0']) {
    const page = await open(server, `/tour-7/${wrong}`);
    await page.locator('main h1', { hasText: `There is no round ${wrong}.` }).waitFor();
    assert.ok(page.url().endsWith(`/tour-7/${wrong}`), 'the address stays');
    assert.equal(await page.locator('.sentence').count(), 0, 'no other round is shown in its place');
    assert.ok(!(await page.locator('main').innerText()).includes('/api/'));
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.locator('.sentence dd .figure', { hasText: '60' }).first().waitFor();
    assert.ok(page.url().endsWith('/tour-7/live'), page.url());
    assert.deepEqual(page.complaints, []);
  }
});

test('the difference compares with the round that it names', async () => {
  for (const [address, words, with_] of [
    ['/tour-7/16?from=50', 'Compared with round 50, which came later', 50],
    ['/tour-7/16?from=10', 'Compared with round 10,', 10],
    ['/tour-7/16?from=999', 'There is no round 999 to compare with; compared with round 15, the one before', 15],
    ['/tour-7/16?from=0', 'There is no round 0 to compare with; compared with round 15, the one before', 15],
  ]) {
    const page = await open(server, '/tour-7/live');
    const fetched = [];
    page.on('response', (response) => {
      const round = /\/rounds\/(\d+)$/.exec(response.url())?.[1];
      if (round !== undefined && response.ok()) fetched.push(Number(round));
    });
    await page.goto(server.base + address);
    await page.locator('.band', { hasText: words }).waitFor();
    await page.locator('.was').first().waitFor();
    assert.deepEqual(fetched.filter((round) => round !== 16), [with_], address);
  }
});

test('a round that is compared with itself, or with nothing, shows no change', async () => {
  for (const [address, words] of [
    ['/tour-7/1?from=1', 'A round does not differ from itself.'],
    ['/tour-7/1?from=999', 'There is no round 999 to compare with, and none before this one.'],
  ]) {
    const page = await open(server, address);
    await page.locator('.band', { hasText: words }).waitFor();
    assert.equal(await page.locator('.was').count(), 0);
    assert.ok(!(await page.locator('.band').innerText()).includes('changes carry'));
  }
});

test('pinned, moved, compared: the band names the pinned round', async () => {
  const page = await open(server, '/tour-7/50');
  await page.locator('.sentence').waitFor();
  await page.keyboard.press('p');
  await page.keyboard.press('Home');
  await until('the first is shown', () => page.url().endsWith('/tour-7/1'));
  await page.locator('.sentence dd .figure', { hasText: /^1$/ }).waitFor();
  await page.keyboard.press('d');
  await page.locator('.band', { hasText: 'Compared with round 50, which came later' }).waitFor();
});
