import type { GlossaryTerm } from '../protection/protected-unit.js';
import { TermMatcher } from '../protection/term-matcher.js';
import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

const MOST_NAMED = 20;
/** Endings that a term may lose where it is inflected, and the letters that are left at least. */
const INFLECTED = 2;
const LEAST_STEM = 4;

/** Finds terms of the source that are not translated as the glossary says; the target may be inflected at its end. */
export function findGlossaryFaults(
  { source, answer }: ComparedTexts,
  glossary: readonly GlossaryTerm[],
): TranslationFault[] {
  if (glossary.length === 0) return [];
  const terms = new Set(
    TermMatcher.of(glossary)
      .find(source)
      .map(({ term }) => term),
  );
  const written = answer.toLowerCase();
  const ignored = [...terms].filter(({ target }) => !written.includes(stemOf(target.toLowerCase().trim())));
  if (ignored.length === 0) return [];
  const list = ignored.slice(0, MOST_NAMED).map((term) => `"${term.source}" is "${term.target}"`);
  return [{ code: 'glossary_ignored', message: `The glossary says: ${list.join('; ')}. Use these terms.` }];
}

function stemOf(target: string): string {
  return target.slice(0, Math.max(Math.min(LEAST_STEM, target.length), target.length - INFLECTED));
}
