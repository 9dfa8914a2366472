import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkedToken } from '../protection/marker-notation.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { MARKED_NUMBER } from './find-joined-markers.js';

/** The languages of a translation, as far as they are known. */
export interface ComparedLanguages {
  readonly source: LanguageTag | undefined;
  readonly target: LanguageTag | undefined;
}

/** A source and its translation without their markers: a single marker is a space, so that words stay apart. */
export interface ComparedTexts {
  readonly source: string;
  readonly answer: string;
  /**
   * The same where the markers of numbers are one digit, whatever they stand for: what is behind it, as `million`, or
   * right beside it makes another number of it.
   */
  readonly withNumbers: { readonly source: string; readonly answer: string };
  readonly languages: ComparedLanguages;
}

const DIGIT = '7';

/** Makes the texts that are compared. */
export function toComparedTexts(
  unit: ProtectedUnit,
  answer: readonly MarkedToken[],
  languages: ComparedLanguages,
): ComparedTexts {
  const texts = { source: textOf(unit.tokens), answer: textOf(answer) };
  const numbers = new Set<number>();
  for (const [number, marker] of unit.markers) {
    if (marker.kind === 'single' && marker.content.kind === 'text' && MARKED_NUMBER.test(marker.content.text))
      numbers.add(number);
  }
  const withNumbers =
    numbers.size === 0 ? texts : { source: textOf(unit.tokens, numbers), answer: textOf(answer, numbers) };
  return { ...texts, withNumbers, languages };
}

function textOf(tokens: readonly MarkedToken[], numbers?: ReadonlySet<number>): string {
  let text = '';
  for (const token of tokens) {
    if (token.kind === 'text') text += token.text;
    else if (token.kind === 'single') text += numbers?.has(token.number) ? DIGIT : ' ';
  }
  return text.trim();
}
