// What a key does, by name.
import { tick } from 'svelte';

import { api } from '../api/client';
import { baseAt } from '../logic/difference';
import type { Command } from '../logic/keys';
import { address, type View } from '../logic/route';
import type { Search } from '../logic/search';
import { app } from './app.svelte';
import { settings } from './settings.svelte';

export const viewNames: readonly [View, string][] = [
  ['round', 'Round'], ['nodes', 'Nodes'], ['workloads', 'Workloads'],
  ['scores', 'Scores'], ['learning', 'Learning'], ['events', 'Events'],
];

/** Goes to another round. A comparison continues: with the round before it, or with the one that was chosen. */
export function goToRound(round: number): void {
  const newest = Math.max(app.timeline.newest, app.round?.newest_round ?? 1);
  const { from } = app.route;
  const to = Math.min(Math.max(round, app.timeline.first), newest);
  if (from !== null) app.go({ when: to, from: baseAt(to, { from, round: app.round?.round ?? to, pinned: app.pinned }) });
  else if (to >= newest && app.running) app.go({ when: 'live' });
  else app.go({ when: to });
}

const quickMs = 300; // A longer search says that it is still going on.
let jumps = 0;

async function jump(direction: Search['direction'], what: Search['what']): Promise<void> {
  const { run, when } = app.route;
  const mine = (jumps += 1);
  const wanted = (): boolean => mine === jumps && app.route.run === run && app.route.when === when;
  const late = setTimeout(() => app.tell('Looking…'), quickMs);
  try {
    const from = app.round?.round ?? app.timeline.newest;
    const round = await app.timeline.find(run, { from, direction, what }, wanted);
    if (!wanted()) return;
    const read = app.card !== null && app.card.reading !== '' ? ' in what was read so far' : '';
    app.tell(round === null ? `Nothing of that kind ${direction < 0 ? 'before' : 'after'}${read}.` : '');
    if (round !== null) goToRound(round);
  } catch (cause) {
    if (wanted()) app.tell(`The search ended early: ${cause instanceof Error ? cause.message : String(cause)}`);
  } finally {
    clearTimeout(late);
  }
}

function row(direction: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((element) => element === document.activeElement);
  const next = at < 0 ? (direction > 0 ? 0 : rows.length - 1) : at + direction;
  rows[next]?.focus();
}

export async function copyLink(): Promise<void> {
  const when = app.round?.round ?? app.route.when;
  const link = location.origin + address({ ...app.route, when });
  try {
    await navigator.clipboard.writeText(link);
    app.tell('Link copied.');
  } catch {
    app.tell(link); // Without permission to use the clipboard, at least shows the link to copy.
  }
}

export function exportShown(format: 'json' | 'csv' = 'json'): void {
  const what = app.route.view === 'events' || app.route.view === 'scores' || app.route.view === 'nodes' ? app.route.view : 'round';
  const kind = what === 'round' ? 'json' : format;
  const whole = what === 'events' || what === 'scores'; // The server exports these of the whole run only.
  const round = whole ? undefined : app.round?.round;
  const link = document.createElement('a');
  link.href = api.exportAddress(app.route.run, { what, round, format: kind });
  link.download = `${app.route.run}-${what}${round === undefined ? '' : `-${round}`}.${kind}`;
  link.click();
  app.tell(whole ? `Exporting the ${what} of the whole run.` : `Exporting ${what}.`);
}

/** Closes the innermost open thing; if there is none, goes back to live. */
function close(): void {
  if (app.dialog !== '') app.dialog = '';
  else if (app.station !== null) app.station = null;
  else if (app.route.view === 'ask' || app.route.view === 'run') app.view('round');
  else if (app.route.node !== '' || app.route.workload !== '') app.go({ node: '', workload: '' });
  else if (app.route.from !== null) app.go({ from: null });
  else if (!app.live) app.go({ when: 'live' });
}

/** Clears the focused field; if it is empty or not a text field, leaves it. */
function leaveField(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field.value !== '') {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  } else if (field instanceof HTMLElement) {
    field.blur();
  }
}

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();

export function run(command: Command): void {
  const round = app.round?.round ?? (app.route.when === 'live' ? app.timeline.newest : app.route.when);
  switch (command) {
    case 'round_before': return goToRound(round - 1);
    case 'round_after': return goToRound(round + 1);
    case 'change_before': return void jump(-1, 'change');
    case 'change_after': return void jump(1, 'change');
    case 'event_before': return void jump(-1, 'event');
    case 'event_after': return void jump(1, 'event');
    case 'first': return goToRound(app.timeline.first);
    case 'live': return app.go({ when: 'live', from: null });
    case 'go_to': app.dialog = 'goto'; return;
    case 'row_after': return row(1);
    case 'row_before': return row(-1);
    case 'close': return close();
    case 'leave_field': return leaveField();
    case 'ask': return focus('#ask');
    case 'filter':
      if (app.route.view !== 'events') app.view('events');
      return void tick().then(() => focus('#event-find'));
    case 'swap_map': app.swapped = !app.swapped; return;
    case 'difference': return app.toggleDifference();
    case 'pin':
      app.pinned = app.pinned === round ? null : round;
      return app.tell(app.pinned === null ? 'Unpinned.' : `Round ${round} pinned: d compares with it.`);
    case 'copy': return void copyLink();
    case 'export': return exportShown();
    case 'pause': return app.togglePause();
    case 'theme': return settings.swapTheme();
    case 'keys': app.dialog = app.dialog === 'keys' ? '' : 'keys'; return;
    default: {
      const view = viewNames[Number(command.slice(5)) - 1];
      if (view !== undefined) app.view(view[0]);
    }
  }
}
