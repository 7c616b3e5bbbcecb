import { describe, expect, it } from 'vitest';

import { unwrapped } from './ask';

const text = (lines: string[]): string[] => unwrapped(lines).map((line) => line.text);
const wide = 'x'.repeat(96);

describe('the lines of an answer', () => {
  it('go on where the terminal had no room left', () => {
    expect(text([wide, '  second', '  third'])).toEqual([`${wide} second`, '  third']);
    expect(text([wide, `  ${wide}`, '  third', 'Next'])).toEqual([`${wide} ${wide} third`, 'Next']);
    expect(unwrapped([`  round 12  ${wide}`, '            more'])).toEqual([{ text: `  round 12  ${wide} more`, hang: 12 }]);
  });

  it('end where there was room, before an empty line, and before one that begins at the margin', () => {
    const lines = ['Headline', '  detail', wide, '', '  after', wide, 'margin', '', `  ${wide}`, ' less'];
    expect(text(lines)).toEqual(lines);
  });
});
