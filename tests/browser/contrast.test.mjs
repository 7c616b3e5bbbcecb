// High contrast: with the system's colours one still sees which view is open, who won, on what, and what is wrong.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';

import { close, makeRun, open, phone, serving, simulate } from './harness.mjs';

const axe = fs.readFileSync(fileURLToPath(new URL('../../web/node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');

let server;
before(async () => {
  server = await serving(['serve', simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60']), makeRun('huge', ['40', '5'])]);
});
after(close);

/** What can be seen of an element in such colours. */
const seen = (locator) => locator.evaluateAll((all) => all.map((one) => {
  const style = getComputedStyle(one);
  return [style.backgroundColor, style.borderLeftWidth, style.borderTopWidth, style.outlineStyle].join(' ');
}));

/** Exactly one of them looks different from the others. */
function apart(looks, which, where) {
  const others = looks.filter((_, i) => i !== which);
  assert.ok(others.length > 0);
  assert.equal(new Set(others).size, 1, `${where}: the others look alike: ${JSON.stringify(looks)}`);
  assert.notEqual(looks[which], others[0], `${where}: ${JSON.stringify(looks)}`);
}

for (const colorScheme of ['dark', 'light']) {
  test(`the open view, the winner and its target stand out, ${colorScheme}`, async () => {
    const page = await open(server, '/huge/5', { forcedColors: 'active', colorScheme });
    await page.locator('section[aria-label="Proposals"] li').first().waitFor();
    apart(await seen(page.locator('nav[aria-label=Views] a')), 0, 'views');
    await page.goto(`${server.base}/huge/5/scores`);
    await page.locator('main h1', { hasText: 'Scores' }).waitFor();
    apart(await seen(page.locator('nav[aria-label=Views] a')), 3, 'views');
    await page.goto(`${server.base}/huge/5`);
    const proposals = page.locator('section[aria-label="Proposals"] li');
    await proposals.first().waitFor();
    const winner = await proposals.evaluateAll((all) => all.findIndex((one) => one.classList.contains('accepted')));
    apart(await seen(proposals), winner, 'proposals');
    const rows = page.locator('section[aria-label*="Kubernetes shows"] tr[data-row]');
    const target = await rows.evaluateAll((all) => all.findIndex((one) => one.classList.contains('target')));
    apart(await seen(rows), target, 'rows');
    const narrow = await open(server, '/huge/5/events', { forcedColors: 'active', colorScheme, viewport: phone });
    apart(await seen(narrow.locator('nav[aria-label="Views of the phone page"] button')), 3, 'views of the phone');
    assert.deepEqual([...page.complaints, ...narrow.complaints], []);
  });

  test(`maps, strip and alarms are drawn in the person's own colours, ${colorScheme}`, async () => {
    const page = await open(server, '/huge/5', { forcedColors: 'active', colorScheme });
    await page.locator('.map canvas').first().waitFor();
    const own = await page.evaluate(() => {
      const probe = document.createElement('p');
      probe.style.cssText = 'forced-color-adjust: none; color: CanvasText; background: Canvas';
      document.body.append(probe);
      const { color, backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return [color, backgroundColor].map((text) => text.match(/\d+/g).slice(0, 3).join(','));
    });
    const colours = await page.locator('.time canvas, .map canvas').evaluateAll((all) => all.map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const found = new Set();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add([data[i], data[i + 1], data[i + 2]].join(','));
      return [...found];
    }));
    assert.ok(colours.length >= 2);
    for (const found of colours) {
      for (const colour of found) {
        const [red, green, blue] = colour.split(',').map(Number);
        assert.ok(Math.abs(red - green) < 12 && Math.abs(green - blue) < 12, `${colour} is no shade between ${own.join(' and ')}`);
      }
    }
  });

  test(`axe finds nothing in high contrast, ${colorScheme}`, async () => {
    for (const address of ['/tour-7/live', '/tour-7/40?from=39', '/tour-7/40/nodes', '/tour-7/40/scores', '/tour-7/40/learning', '/tour-7/40/run']) {
      const page = await open(server, address, { forcedColors: 'active', colorScheme, bypassCSP: true });
      await page.waitForTimeout(250);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
      assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(' | ')}`), [], address);
      await page.context().close();
    }
  });
}
