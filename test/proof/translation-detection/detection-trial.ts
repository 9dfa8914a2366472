import { detectSourceLanguage } from '../../../src/translation/languages/detect-source-language.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { readKnownTexts } from './known-texts.js';
import type { KnownText } from './known-texts.js';

/** What was told of a text. */
export interface Detected extends KnownText {
  readonly told: string | undefined;
}

/** Has the language of each text told, as of a text that stands alone. */
export async function detectAll(): Promise<Detected[]> {
  const detected: Detected[] = [];
  for (const known of readKnownTexts()) {
    const unit = protect([{ kind: 'text', text: known.text }], { notation: bracketNotation });
    detected.push({ ...known, told: await detectSourceLanguage([unit]) });
  }
  return detected;
}

/** The part of texts of which the language that they are in is told. */
export function shareRight(texts: readonly Detected[]): number {
  return shareOf(texts, ({ told, language }) => told === language);
}

/** The part of texts of which no wrong language is told. */
export function shareNotWrong(texts: readonly Detected[]): number {
  return shareOf(texts, ({ told, language }) => told === undefined || told === language);
}

function shareOf(texts: readonly Detected[], fits: (text: Detected) => boolean): number {
  return texts.length === 0 ? 1 : texts.filter(fits).length / texts.length;
}
