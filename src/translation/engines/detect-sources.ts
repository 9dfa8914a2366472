import { detectSourceLanguage } from '../languages/detect-source-language.js';
import { readLanguageTag } from '../languages/language-tag.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { bracketNotation } from '../protection/notations/bracket-notation.js';
import { protectSteps } from '../protection/protect.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { unitsWithin } from '../protection/restore.js';
import type { InlineText } from '../units/inline-text.js';

/** Texts of which the language of all is told. */
const MOST_TOGETHER = 200;
const LETTER = /\p{L}/u;

/** What is known of the language of a unit. */
export interface DetectedSource {
  /** Whether anything of the unit is to be translated. */
  readonly isTranslatable: boolean;
  /** The language that the unit is taken for; undefined where neither it nor its neighbours tell. */
  readonly source: LanguageTag | undefined;
  /** What the unit itself tells (BCP 47). */
  readonly detected: string | undefined;
}

/**
 * Tells the language of each unit: as it was given, else what the unit tells by itself, else what all of them tell
 * together.
 * @param pace lets other requests have their turn
 */
export async function detectSources(
  units: readonly InlineText[],
  given: LanguageTag | undefined,
  pace: { finish<Result>(steps: Generator<void, Result>): Promise<Result>; breathe(): Promise<void> },
): Promise<DetectedSource[]> {
  // What is in the texts but words is seen when they are cut.
  if (given) {
    const sources: DetectedSource[] = [];
    for (const unit of units) {
      await pace.breathe();
      sources.push({ isTranslatable: LETTER.test(plainText(unit)), source: given, detected: undefined });
    }
    return sources;
  }
  const all: { readonly isTranslatable: boolean; readonly own: LanguageTag | undefined }[] = [];
  const together: ProtectedUnit[] = [];
  const known = new Map<string, LanguageTag | undefined>();
  for (const unit of units) {
    await pace.breathe();
    const whole = await pace.finish(protectSteps(unit, { notation: bracketNotation }));
    const within = unitsWithin(whole).filter(({ isTranslatable }) => isTranslatable);
    const key = within.map(({ text }) => text).join('\n');
    if (within.length > 0 && !known.has(key)) known.set(key, toTag(await detectSourceLanguage(within)));
    all.push({ isTranslatable: within.length > 0, own: known.get(key) });
    if (together.length < MOST_TOGETHER) together.push(...within.slice(0, MOST_TOGETHER - together.length));
  }
  const isUnclear = all.some(({ isTranslatable, own }) => isTranslatable && own === undefined);
  const common = isUnclear ? toTag(await detectSourceLanguage(together)) : undefined;
  return all.map(({ isTranslatable, own }) => ({
    isTranslatable,
    source: own ?? common,
    detected: own?.tag,
  }));
}

/** The characters of a unit. */
export function plainText(unit: InlineText): string {
  return unit.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function toTag(language: string | undefined): LanguageTag | undefined {
  return language === undefined ? undefined : readLanguageTag(language);
}
