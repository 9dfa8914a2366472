import type { InlineText } from './inline-text.js';

/** So much of a context goes along, in UTF-16 units. */
const MOST_CHARACTERS = 300;

/** A unit with what is said about it: two units of the same text and different contexts are different. */
export function withContext(unit: InlineText, context: string | undefined): InlineText {
  const told = context?.trim().slice(0, MOST_CHARACTERS).toWellFormed() ?? '';
  const at = unit.findIndex(({ kind }) => kind === 'text');
  if (told === '' || at < 0) return unit;
  return unit.map((part, index) => (index === at && part.kind === 'text' ? { ...part, context: told } : part));
}

/** What is said about a unit; undefined: nothing. */
export function contextOf(unit: InlineText): string | undefined {
  for (const part of unit) if (part.kind === 'text' && part.context !== undefined) return part.context;
  return undefined;
}
