// What is on the page can be read: nothing covers anything else, and nothing that tells things apart is cut off.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { close, folder, open, program, ok, serving, simulate } from './harness.mjs';

/** The tour with other nodes, so that it has names of any length. */
function renamed(name, count) {
  const file = path.join(folder(), `${name}.yaml`);
  const tour = ok(program, ['scenario', 'show', 'tour']);
  fs.writeFileSync(file, tour
    .replace('name: tour', `name: ${name.slice(0, 8)}`)
    .replace('- name: node', `- name: ${name}`)
    .replace('count: 12', `count: ${count}`)
    .replace(/: node-(07|12)/g, (_, number) => `: ${name}-${number === '12' ? '08' : number}`));
  return simulate(['--scenario', file, '--rounds', '30'], name.slice(0, 8));
}

let server;
before(async () => {
  server = await serving(['serve', renamed('prod-node', 9), renamed('gke-prod-eu-default-pool-7f9c4d2a', 12)]);
});
after(close);

/** Of each name: whether its end is seen in full, and the letters that are. */
const names = (locator) => locator.evaluateAll((all) => all.map((name) => {
  const end = name.querySelector('.end').getBoundingClientRect();
  let [left, right] = [0, innerWidth];
  for (let up = name.parentElement; up !== null; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'visible') continue;
    const box = up.getBoundingClientRect();
    [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
  }
  const start = name.querySelector('.start');
  return { text: name.textContent, whole: start.scrollWidth <= start.clientWidth, end: end.width > 0 && end.left >= left && end.right <= right + 0.5 };
}));

test('names keep their ends', async () => {
  for (const [run, whole] of [['prod-nod', true], ['gke-prod', false]]) {
    const page = await open(server, `/${run}/20`);
    await page.locator('.sentence h1').waitFor();
    const shown = await names(page.locator('td.node bdi, .risk bdi, .station.forecasts bdi'));
    assert.ok(shown.length > 3, JSON.stringify(shown));
    for (const one of shown) {
      assert.ok(one.end, `the end of ${one.text} is cut off`);
      if (whole) assert.ok(one.whole, `${one.text} has room`);
    }
  }
});
