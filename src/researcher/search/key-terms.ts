import { loadLanguageWords } from '../../platform/text/support/language-words.js';

/** How long a question may be. */
export interface QueryLimits {
  /** UTF-16 units. */
  readonly characters: number;
  /** Between spaces. */
  readonly words: number;
}

interface Term {
  readonly text: string;
  /** Its place among the words of the query. */
  readonly index: number;
  /** How much it says: the more, the sooner it is kept. */
  readonly weight: number;
}

/** Languages whose stop words are known well enough to tell them from other words. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];
/** A longer one is text of a script without spaces. */
const LONGEST_WORD = 40;
const AROUND_WORD = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_+#]+$/gu;
const SAYS_MUCH = /[\p{N}_]|\p{L}[.-]\p{L}|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * A query as short as a provider takes it: as it is, with single spaces, where that is short enough; else its key terms in
 * their order. Stop words and repetitions go first, then what says least: names and words with digits are kept longest,
 * then long words.
 * @returns never longer than the limits, and never empty
 */
export function cutQuery(query: string, limits: QueryLimits): string {
  const text = query.replaceAll(/\s+/g, ' ').trim();
  const words = text.split(' ');
  if (text.length <= limits.characters && words.length <= limits.words) return text;
  const kept: Term[] = [];
  let characters = 0;
  for (const term of byWeight(termsOf(words))) {
    if (kept.length === limits.words) break;
    const added = term.text.length + Number(kept.length > 0);
    if (characters + added > limits.characters) continue;
    kept.push(term);
    characters += added;
  }
  kept.sort((one, other) => one.index - other.index);
  return kept.map((term) => term.text).join(' ') || beginningOf(words, limits);
}

/** Of a query without any term, such as one of signs, or of one word that is too long. */
function beginningOf(words: readonly string[], limits: QueryLimits): string {
  const text = words.slice(0, limits.words).join(' ').slice(0, limits.characters);
  // Half of a surrogate pair is no character.
  return text.replace(/\p{Cs}$/u, '').trim();
}

/** The words of a query that say something, each once. */
function termsOf(words: readonly string[]): Term[] {
  const plain = words.flatMap(piecesOf).map((word) => word.replaceAll(AROUND_WORD, ''));
  const isStopWord = stopWordsOf(plain);
  const seen = new Set<string>();
  return plain.flatMap((text, index) => {
    const lower = text.toLowerCase();
    if (lower === '' || seen.has(lower) || isStopWord(lower)) return [];
    seen.add(lower);
    return [{ text, index, weight: weightOf(text, index) }];
  });
}

function piecesOf(word: string): string[] {
  if (word.length <= LONGEST_WORD) return [word];
  const pieces = Array.from(segmenter.segment(word)).filter(({ isWordLike }) => isWordLike);
  return pieces.map(({ segment }) => segment);
}

function weightOf(text: string, index: number): number {
  // The first word of a query is written with a capital whatever it is.
  const isName = SAYS_MUCH.test(text) || (index > 0 && /^\p{Lu}/u.test(text));
  return (isName ? 100 : 0) + Math.min(text.length, 20);
}

function byWeight(terms: readonly Term[]): Term[] {
  return terms.toSorted((one, other) => other.weight - one.weight || one.index - other.index);
}

/** What counts as a stop word: those of the language that most of the words are stop words of. */
function stopWordsOf(words: readonly string[]): (word: string) => boolean {
  const lower = words.map((word) => word.toLowerCase());
  const counted = LANGUAGES.map((language) => {
    const { isStopWord } = loadLanguageWords(language);
    return { isStopWord, count: lower.filter(isStopWord).length };
  });
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).isStopWord;
}
