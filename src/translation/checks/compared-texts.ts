import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkedToken } from '../protection/marker-notation.js';

/** The languages of a translation, as far as they are known. */
export interface ComparedLanguages {
  readonly source: LanguageTag | undefined;
  readonly target: LanguageTag | undefined;
}

/** A source and its translation without their markers: a single marker is a space, so that words stay apart. */
export interface ComparedTexts {
  readonly source: string;
  readonly answer: string;
  readonly languages: ComparedLanguages;
}

/** Makes the texts that are compared. */
export function toComparedTexts(
  source: readonly MarkedToken[],
  answer: readonly MarkedToken[],
  languages: ComparedLanguages,
): ComparedTexts {
  return { source: textOf(source), answer: textOf(answer), languages };
}

function textOf(tokens: readonly MarkedToken[]): string {
  return tokens
    .map((token) => (token.kind === 'text' ? token.text : token.kind === 'single' ? ' ' : ''))
    .join('')
    .trim();
}
