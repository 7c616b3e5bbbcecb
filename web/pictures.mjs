// The main states of the page, as pictures.
import fs from 'node:fs';
import path from 'node:path';
import { close, desk, growRun, open, phone, serving, simulate, until } from '../tests/browser/harness.mjs';

const into = process.argv[2];
fs.mkdirSync(into, { recursive: true });

async function take(server, name, address, { act, ...options } = {}) {
  const page = await open(server, address, { viewport: desk, ...options });
  await page.waitForTimeout(700);
  if (act) await act(page);
  await page.screenshot({ path: path.join(into, `${name}.png`) });
  if (page.complaints.length > 0) throw new Error(`${name}: ${page.complaints.join('; ')}`);
  await page.context().close();
}

try {
  // With relative paths: the status line names the record, and it should read the same on every machine.
  const beside = (run) => serving(['serve', path.basename(run)], { cwd: path.dirname(run) });
  const tour = await beside(simulate(['--scenario', 'tour', '--seed', '7', '--rounds', '60']));
  const probe = await open(tour, '/tour-7/live');
  const strip = await probe.evaluate(async () => (await fetch('/api/runs/tour-7/strip')).json());
  const most = strip.cells.reduce((best, cell) => (cell.overruled > best.overruled ? cell : best)).round;
  const view = await probe.evaluate(async (round) => (await fetch(`/api/runs/tour-7/rounds/${round}`)).json(), most);
  const node = view.max_risk?.node ?? 'node-01';

  await take(tour, 'round-dark', `/tour-7/${most}`);
  await take(tour, 'round-light', `/tour-7/${most}`, { colorScheme: 'light' });
  await take(tour, 'phone-dark', `/tour-7/${most}`, { viewport: phone, hasTouch: true, isMobile: true });
  await take(tour, 'phone-light', `/tour-7/${most}`, { viewport: phone, hasTouch: true, isMobile: true, colorScheme: 'light' });
  await take(tour, 'node', `/tour-7/${most}/node/${node}`);
  await take(tour, 'difference', `/tour-7/${most}?from=${most - 1}`, { colorScheme: 'light' });
  await take(tour, 'why', `/tour-7/${most}/ask?q=why`);
  await take(tour, 'scores', `/tour-7/live/scores`, { colorScheme: 'light' });

  const { run } = growRun(['5000', '600', '1000']);
  await until('it began', () => fs.existsSync(path.join(run, 'journal')));
  const huge = await beside(run);
  await take(huge, 'nodes-5000', '/huge/live', { act: (page) => page.waitForTimeout(4000) });
} finally {
  await close();
}
