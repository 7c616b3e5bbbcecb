// The ask box: the words a question may begin with, the word that a name would complete, and the lines of an answer.

const questions = ['why ', 'why-not '] as const;
const actions = [
  'replicate:', 'migrate:', 'throttle:', 'power_state:sleep:', 'dvfs:', 'memory_balloon:', 'queue', 'deprioritize',
] as const;

export interface Completion {
  before: string; // The part that stays.
  prefix: string; // The part that a name would complete.
  wantsName: boolean;
}

export function complete(text: string): Completion {
  // prose: what a person types.
  const question = questions.find((word) => text.startsWith(word));
  if (question === undefined) return { before: '', prefix: '', wantsName: false };
  const rest = text.slice(question.length);
  if (question === 'why-not ') {
    const colon = rest.lastIndexOf(':');
    if (colon < 0) return { before: question, prefix: rest, wantsName: false };
    return { before: question + rest.slice(0, colon + 1), prefix: rest.slice(colon + 1), wantsName: true };
  }
  return { before: question, prefix: rest, wantsName: true };
}

/** What the box offers, at most eight. */
export function completions(text: string, names: readonly string[]): string[] {
  const { before, prefix, wantsName } = complete(text);
  let offers: string[];
  if (before === '') offers = questions.filter((word) => word.startsWith(text.trimStart()));
  else if (!wantsName) offers = actions.filter((word) => word.startsWith(prefix)).map((word) => before + word);
  else offers = names.map((name) => before + name);
  return offers.filter((offer) => offer !== text).slice(0, 8);
}

const columns = 100; // At which the terminal wraps.

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * The terminal's lines as they were before it wrapped them: a narrow page wraps them at its own width. A line goes on
 * with the one before if its first word had no room there; `hang` is how far it stood in.
 */
export function unwrapped(lines: readonly string[]): { text: string; hang: number }[] {
  const out: { text: string; hang: number }[] = [];
  let before = '';
  for (const line of lines) {
    const last = out[out.length - 1];
    // prose: lines are joined as they were broken, between words.
    const word = line.trimStart().split(' ')[0] ?? '';
    const full = before.length + 1 + word.length > columns;
    if (last !== undefined && word !== '' && full && indentOf(line) >= Math.max(2, indentOf(before))) {
      last.text += ` ${line.trimStart()}`;
      last.hang = indentOf(line);
    } else {
      out.push({ text: line, hang: indentOf(line) });
    }
    before = line;
  }
  return out;
}
