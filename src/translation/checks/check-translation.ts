import { readLanguageTag } from '../languages/language-tag.js';
import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkedToken } from '../protection/marker-notation.js';
import type { GlossaryTerm, ProtectedUnit } from '../protection/protected-unit.js';
import { readAnswer } from '../protection/read-answer.js';
import { findAddedMarkup } from './find-added-markup.js';
import { findChatter } from './find-chatter.js';
import { findCopy } from './find-copy.js';
import { findGlossaryFaults } from './find-glossary-faults.js';
import { findJoinedMarkers } from './find-joined-markers.js';
import { findLengthFaults, TOO_LONG } from './find-length-faults.js';
import { findMarkerFaults } from './find-marker-faults.js';
import { findNumberFaults } from './find-number-faults.js';
import { findRepetition } from './find-repetition.js';
import { findStructureFaults } from './find-structure-faults.js';
import { findWrongScript } from './find-wrong-script.js';
import { toComparedTexts } from './compared-texts.js';
import type { ComparedLanguages } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

/** No translation is so much longer: to read all of its markers would hold others up. */
const LONGEST = { times: 10, more: 10_000 };

/** A translation of a unit, as the engine gave it. */
export interface TranslationCandidate {
  readonly source: ProtectedUnit;
  /** The answer in the unit's notation. */
  readonly answer: string;
  /** A tag of BCP 47; undefined where it is not known. */
  readonly sourceLanguage?: string | undefined;
  /** A tag of BCP 47. */
  readonly targetLanguage: string;
  /** Terms that the engine was told; those that are markers need not be given. */
  readonly glossary?: readonly GlossaryTerm[] | undefined;
}

/**
 * Finds what is wrong with a translation: markers, numbers, length, paragraphs and items of lists, script, words of the
 * source, what is said twice, words that are about the translation, and terms. None where it may be returned. What has nothing to translate
 * is not checked. Takes time in proportion to the texts.
 */
export function checkTranslation(candidate: TranslationCandidate): TranslationFault[] {
  const { source, answer, glossary } = candidate;
  if (!source.isTranslatable) return [];
  if (answer.length > LONGEST.times * source.text.length + LONGEST.more) return [TOO_LONG];
  const tokens = readAnswer(source, answer);
  const texts = toComparedTexts(source, tokens, languagesOf(candidate));
  if (!/\p{L}/u.test(texts.answer)) {
    return [{ code: 'empty', message: 'The translation has no words: translate the text.' }];
  }
  const ofLength = findLengthFaults(texts);
  // What goes on and on is not worth more of anybody's time.
  if (ofLength.some(({ code }) => code === 'too_long')) return ofLength;
  return [
    ...findMarkerFaults(source, tokens),
    ...findAddedMarkup(source, tokens, glossary ?? []),
    ...findJoinedMarkers(source, tokens),
    ...findNumberFaults(texts),
    ...ofLength,
    ...findStructureFaults(texts),
    ...findWrongScript(texts),
    ...findCopy(texts),
    ...findRepetition(texts),
    ...findChatter(texts),
    ...findGlossaryFaults(texts, glossary ?? []),
  ];
}

/** Finds what is wrong where parts of a translation meet, which were checked by themselves: each may be too short to tell. */
export function checkJoinedParts(
  source: ProtectedUnit,
  tokens: readonly MarkedToken[],
  languages: Pick<TranslationCandidate, 'sourceLanguage' | 'targetLanguage'>,
): TranslationFault[] {
  const texts = toComparedTexts(source, tokens, languagesOf(languages));
  return [
    ...findJoinedMarkers(source, tokens),
    ...findNumberFaults(texts),
    ...findStructureFaults(texts),
    ...findCopy(texts),
    ...findRepetition(texts),
    ...findChatter(texts),
  ];
}

function languagesOf({
  sourceLanguage,
  targetLanguage,
}: Pick<TranslationCandidate, 'sourceLanguage' | 'targetLanguage'>): ComparedLanguages {
  return { source: sourceLanguage === undefined ? undefined : tagOf(sourceLanguage), target: tagOf(targetLanguage) };
}

/** A request has few languages and many units. */
const MOST_TAGS = 200;
const tags = new Map<string, LanguageTag | undefined>();

function tagOf(value: string): LanguageTag | undefined {
  if (tags.has(value)) return tags.get(value);
  if (tags.size === MOST_TAGS) tags.clear();
  const tag = readLanguageTag(value);
  tags.set(value, tag);
  return tag;
}
