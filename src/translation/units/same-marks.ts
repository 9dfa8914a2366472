import type { InlineText } from './inline-text.js';

/** Whether two inline texts are the same, part by part. */
export function isSameInlineText(first: InlineText, second: InlineText): boolean {
  return (
    first.length === second.length &&
    first.every((part, index) => {
      const other = second[index];
      if (part.kind === 'text') return other?.kind === 'text' && other.text === part.text;
      return other?.kind === part.kind && other.mark === part.mark;
    })
  );
}

/** Whether a text has each mark of its source once, in the same pair as there, and no other. */
export function hasSameMarks(source: InlineText, text: InlineText): boolean {
  const [wanted, found] = [parentsOf(source), parentsOf(text)];
  if (!wanted || !found || wanted.size !== found.size) return false;
  for (const [mark, parent] of wanted) if (found.get(mark) !== parent) return false;
  return true;
}

/** The pair that each mark is in and whether it is one; undefined where marks are repeated or not nested. */
function parentsOf(text: InlineText): Map<number, string> | undefined {
  const parents = new Map<number, string>();
  const open: number[] = [];
  for (const part of text) {
    if (part.kind === 'text') continue;
    if (part.kind === 'close') {
      if (open.pop() !== part.mark) return undefined;
      continue;
    }
    if (parents.has(part.mark)) return undefined;
    parents.set(part.mark, `${part.kind} in ${open.at(-1) ?? 0}`);
    if (part.kind === 'open') open.push(part.mark);
  }
  return open.length === 0 ? parents : undefined;
}
