// What a key means. Pure, so that the table of keys always matches what they do.

export type Command =
  | 'round_before' | 'round_after' | 'change_before' | 'change_after' | 'event_before' | 'event_after'
  | 'first' | 'live' | 'go_to' | 'row_after' | 'row_before' | 'close' | 'leave_field'
  | 'view_1' | 'view_2' | 'view_3' | 'view_4' | 'view_5' | 'view_6'
  | 'ask' | 'filter' | 'swap_map' | 'difference' | 'pin' | 'copy' | 'export' | 'pause' | 'theme' | 'keys';

export interface Press {
  key: string;
  shift: boolean;
  ctrl: boolean; // Or Alt or Meta: those belong to the browser.
  typing: boolean; // The focus is in a field.
  own: boolean; // The focused element uses arrows, Home and End itself: maps do, the strip does not.
}

const letters: Record<string, Command> = {
  l: 'live', g: 'go_to', j: 'row_after', k: 'row_before', '1': 'view_1', '2': 'view_2', '3': 'view_3',
  '4': 'view_4', '5': 'view_5', '6': 'view_6', '/': 'ask', f: 'filter', m: 'swap_map', d: 'difference',
  p: 'pin', y: 'copy', e: 'export', t: 'theme', '?': 'keys', '[': 'event_before', ']': 'event_after',
};

export function command(press: Press, lettersOff: boolean): Command | null {
  if (press.key === 'Escape') return press.typing ? 'leave_field' : 'close';
  if (press.ctrl || press.typing) return null;
  if (!press.own) {
    if (press.key === 'ArrowLeft') return press.shift ? 'change_before' : 'round_before';
    if (press.key === 'ArrowRight') return press.shift ? 'change_after' : 'round_after';
    if (press.key === 'Home') return 'first';
    if (press.key === 'End') return 'live';
  }
  if (press.key === '?') return 'keys'; // Always works, since letters are switched on again there.
  if (lettersOff) return null;
  if (press.key === ' ') return press.own ? null : 'pause';
  return letters[press.key] ?? null;
}

/** The table of keys as it is shown. */
export const keyTable: readonly [keys: string, does: string][] = [
  ['left, right', 'round before, after'],
  ['Shift and left, right', 'change of decision before, after'],
  ['[ ]', 'alarm or override before, after'],
  ['Home', 'first round'],
  ['End or l', 'live'],
  ['g', 'go to a round'],
  ['Tab', 'next region, in the order of the layers'],
  ['j k', 'row after, before'],
  ['Enter', 'evidence of what is focused'],
  ['Esc', 'clear a field, leave it; close; then live'],
  ['1 to 6', 'Round, Nodes, Workloads, Scores, Learning, Events'],
  ['/', 'ask why or why not'],
  ['f', 'filter events'],
  ['m', 'swap the maps'],
  ['d', 'difference to the round before, or to the pinned one'],
  ['p', 'pin this round to compare with'],
  ['y', 'copy a link to this'],
  ['e', 'export'],
  ['Space', 'pause: the page stands still, nothing is lost'],
  ['t', 'dark or light'],
  ['?', 'this table'],
];
