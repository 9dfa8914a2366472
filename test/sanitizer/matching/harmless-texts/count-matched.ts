import { TextMatcher } from '../../../../src/sanitizer/matching/text-matcher.js';
import { Random } from '../../../crash/random.js';
import { ALL_KINDS, scanPieces } from '../../../support/probes/matched-texts.js';
import { HARMLESS_TEXTS } from './harmless-texts.js';

const TEXTS_OF_A_SORT = 80;

/** What was found in harmless texts of one sort. */
export interface MatchedTexts {
  readonly sort: string;
  readonly texts: number;
  /** Those in which something was found, each with its kinds. */
  readonly matched: readonly string[];
}

/** Looks through 2,000 harmless texts for all builtin kinds. */
export function countMatched(seed: number): MatchedTexts[] {
  const matcher = new TextMatcher(ALL_KINDS);
  const random = new Random(seed);
  return HARMLESS_TEXTS.map(({ sort, make }) => {
    const texts = Array.from({ length: TEXTS_OF_A_SORT }, () => make(random));
    const matched = texts.flatMap((text) => {
      const { matches } = scanPieces(matcher, [text]);
      const kinds = new Set(matches.flatMap(({ rules }) => rules.map((rule) => matcher.kinds[rule])));
      return matches.length === 0 ? [] : [`${[...kinds].join(', ')}: ${text}`];
    });
    return { sort, texts: texts.length, matched };
  });
}
