import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkedToken } from '../protection/marker-notation.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { MARKED_NUMBER } from './find-joined-markers.js';
import { markerText } from './marker-text.js';
import { scaleAhead, startsWithDozen } from './number-scales.js';

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
   * right beside it makes another number of it. A placeholder with such a word behind it in one of the texts is a number.
   */
  readonly withNumbers: { readonly source: string; readonly answer: string };
  readonly languages: ComparedLanguages;
}

const DIGIT = '7';
const PLACEHOLDER = /^[%{$:@#]/;
/** So much behind a marker is looked at, in UTF-16 units. */
const LOOKED_AT = 60;

/** Makes the texts that are compared. */
export function toComparedTexts(
  unit: ProtectedUnit,
  answer: readonly MarkedToken[],
  languages: ComparedLanguages,
): ComparedTexts {
  const texts = { source: textOf(unit.tokens), answer: textOf(answer) };
  const numbers = new Set<number>();
  const placeholders = new Set<number>();
  // Its own markers alone: those of all pieces of a unit are in one map.
  for (const token of unit.tokens) {
    if (token.kind !== 'single') continue;
    const text = markerText(unit, token) ?? '';
    if (MARKED_NUMBER.test(text)) numbers.add(token.number);
    else if (PLACEHOLDER.test(text)) placeholders.add(token.number);
  }
  for (const number of scaledIn(unit.tokens, placeholders, languages.source?.language)) numbers.add(number);
  for (const number of scaledIn(answer, placeholders, languages.target?.language)) numbers.add(number);
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

/** Which of the markers have a word behind them that multiplies them. */
function* scaledIn(
  tokens: readonly MarkedToken[],
  markers: ReadonlySet<number>,
  language: string | undefined,
): Generator<number> {
  if (markers.size === 0) return;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.kind !== 'single' || !markers.has(token.number) || next?.kind !== 'text') continue;
    const behind = next.text.slice(0, LOOKED_AT);
    if (scaleAhead(behind, language)?.isCertain === true || startsWithDozen(behind)) yield token.number;
  }
}
