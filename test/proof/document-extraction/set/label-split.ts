import { LEXICON } from '../../../../src/documents/rules/labels/lexicon.js';
import type { Concept, Lexicon, LexiconLanguage } from '../../../../src/documents/rules/labels/lexicon.js';
import { toLabelTokens } from '../../../../src/documents/rules/labels/label-tokens.js';
import type { Random } from '../../../crash/random.js';

/** Every third label of a concept and language is held out. */
const EVERY = 3;

/** The language that is held out. */
export const HELD_OUT_LANGUAGE: LexiconLanguage = 'es';

const LANGUAGES: readonly LexiconLanguage[] = ['en', 'de', 'fr', 'es'];

/** The labels of documents that rules and weights have seen, and those that they have not. */
export function labelsOf(concept: Concept, language: LexiconLanguage, isHeldOut: boolean): readonly string[] {
  const labels = LEXICON[concept].labels[language];
  const hidden = new Set(labels.filter((_, index) => index % EVERY === EVERY - 1).map(keyOf));
  const some = labels.filter((label) => hidden.has(keyOf(label)) === isHeldOut);
  return some.length > 0 ? some : labels;
}

/** Picks a label. */
export function pickLabel(random: Random, concept: Concept, language: LexiconLanguage, isHeldOut: boolean): string {
  return random.pick(labelsOf(concept, language, isHeldOut));
}

/** The builtin words without those that are held out, in whatever spelling their concept has them. */
export function lexiconWithoutHeldOut(): Lexicon {
  return Object.fromEntries(
    (Object.keys(LEXICON) as Concept[]).map((concept) => {
      const labels = Object.fromEntries(
        LANGUAGES.map((language) => [
          language,
          language === HELD_OUT_LANGUAGE ? [] : seenLabels(LEXICON[concept].labels[language]),
        ]),
      );
      return [concept, { names: LEXICON[concept].names, labels }];
    }),
  ) as unknown as Lexicon;
}

function seenLabels(labels: readonly string[]): string[] {
  const hidden = new Set(labels.filter((_, index) => index % EVERY === EVERY - 1).map(keyOf));
  return labels.filter((label) => !hidden.has(keyOf(label)));
}

function keyOf(label: string): string {
  return toLabelTokens(label)
    .map(({ key }) => key)
    .join(' ');
}
