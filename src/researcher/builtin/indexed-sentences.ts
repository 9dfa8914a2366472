import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import { loadLanguageWords } from '../../platform/text/support/language-words.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import type { LanguageWords } from '../../platform/text/support/language-words.js';
import { sourceParts } from './source-parts.js';
import type { SourcePart } from './source-parts.js';

/** A source in which sentences are looked for. */
export interface SearchedSource {
  readonly id: string;
  readonly title: string | null;
  readonly text: string;
  /** As BCP 47 tag; null where it is not known. */
  readonly language: string | null;
}

/** A sentence with the stems of its words, and those of what stands around it. */
export interface IndexedSentence {
  readonly sourceId: string;
  /** With the heading that it stands right behind. */
  readonly text: string;
  readonly stems: ReadonlyMap<string, number>;
  /** How many words it has. */
  readonly length: number;
  /** The place of the first sentence of its part among all; its own where it is that. */
  readonly lead: number;
  /** How much a stem beside the sentence counts: of its heading or term, its title, the first sentence of its part and the one before. */
  readonly context: ReadonlyMap<string, number>;
}

/** Of one source, in UTF-16 units, and of all sources. */
const MOST_TEXT = 1_000_000;
const MOST_SENTENCES = 50_000;
const LEAST_SENTENCE = 15;
const LONGEST_SENTENCE = 1_000;
/** Paragraphs are read in pieces of this length, in UTF-16 units: reading a piece takes no noticeable time. */
const LONGEST_PIECE = 20_000;
const WEIGHTS = { term: 0.5, lead: 0.3, title: 0.3, before: 0.2 } as const;

const BLANK_LINE = /(?:\n[^\S\n]*\n|\r\r)\s*/g;
/** Nothing in it ends a sentence: looking for ends would take the most of the time for texts of short lines. */
const PLAIN = /^[\p{L}\p{N}-](?:[\p{L}\p{N} -]{0,98}[\p{L}\p{N}-])?$/u;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Where the parts of a name that programs use meet. */
const NAME_PARTS = /_+|(?<=\p{Ll})(?=\p{Lu})/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The sentences of sources, each once, as far as 50,000 and a million units of a source go. @throws the reason of the signal */
export async function indexSentences(
  sources: readonly SearchedSource[],
  cooperation: CooperativeYield,
): Promise<IndexedSentence[]> {
  const sentences = new Map<string, IndexedSentence>();
  for (const source of sources) {
    const stemmer = new Stemmer(loadLanguageWords(source.language?.split(/[-_]/)[0]?.toLowerCase()));
    const title = stemmer.stemsOf(source.title ?? '');
    for (const part of sourceParts(source.text.slice(0, MOST_TEXT))) {
      if (cooperation.isDue) await cooperation.yield();
      if (!part) continue;
      const term = stemmer.stemsOf(part.term ?? '');
      // A title is told with the citation.
      const isTitle = [...term.keys()].every((stem) => title.has(stem));
      const above = [
        [title, WEIGHTS.title],
        [term, WEIGHTS.term],
      ] as const;
      let before: ReadonlyMap<string, number> = new Map();
      let lead: { readonly at: number; readonly stems: ReadonlyMap<string, number> } | undefined;
      for (const { start, end } of sentencesOf(source.text, part)) {
        if (sentences.size >= MOST_SENTENCES) return [...sentences.values()];
        if (cooperation.isDue) await cooperation.yield();
        const text = source.text.slice(lead || isTitle ? start : (part.termStart ?? start), end);
        // Longer ones are not told: what matters of them is what stands beside the next one.
        const stems = stemmer.stemsOf(source.text.slice(Math.max(start, end - LONGEST_SENTENCE), end));
        const key = text.replaceAll(/\s+/g, ' ').toLowerCase();
        if (isTold(text, stems) && !sentences.has(key)) {
          const context = contextOf([[before, WEIGHTS.before], [lead?.stems ?? new Map(), WEIGHTS.lead], ...above]);
          const length = [...stems.values()].reduce((sum, count) => sum + count, 0);
          const at = sentences.size;
          sentences.set(key, { sourceId: source.id, text, stems, length, lead: lead?.at ?? at, context });
          lead ??= { at, stems };
        }
        before = stems;
      }
    }
  }
  return [...sentences.values()];
}

function isTold(text: string, stems: ReadonlyMap<string, number>): boolean {
  return text.length >= LEAST_SENTENCE && text.length <= LONGEST_SENTENCE && stems.size > 1 && !isQuestion(text);
}

/** The stems of a question's words in a language. */
export function stemsOfQuestion(question: string, language: string | null): Set<string> {
  return new Set(new Stemmer(loadLanguageWords(language?.split(/[-_]/)[0]?.toLowerCase())).stemsOf(question).keys());
}

function contextOf(parts: readonly (readonly [ReadonlyMap<string, number>, number])[]): Map<string, number> {
  const context = new Map<string, number>();
  for (const [stems, weight] of parts) for (const stem of stems.keys()) context.set(stem, weight);
  return context;
}

function* sentencesOf(text: string, part: SourcePart): Generator<TextSpan> {
  for (const piece of piecesOf(text.slice(0, MOST_TEXT), part.start, Math.min(part.end, MOST_TEXT))) {
    const paragraph = text.slice(piece.start, piece.end);
    if (PLAIN.test(paragraph)) yield piece;
    else
      for (const { start, end } of sentencesIn(paragraph)) yield { start: piece.start + start, end: piece.start + end };
  }
}

/** The paragraphs of a part of a text; longer ones in pieces of whole words. */
function* piecesOf(text: string, from: number, to: number): Generator<TextSpan> {
  let at = from;
  for (const { index, 0: line } of text.slice(from, to).matchAll(BLANK_LINE)) {
    yield* shortPieces(text, at, from + index);
    at = from + index + line.length;
  }
  yield* shortPieces(text, at, to);
}

function* shortPieces(text: string, from: number, to: number): Generator<TextSpan> {
  let at = from;
  while (to - at > LONGEST_PIECE) {
    const space = text.slice(at, at + LONGEST_PIECE).lastIndexOf(' ');
    const end = at + (space > 0 ? space : LONGEST_PIECE);
    yield { start: at, end };
    at = end;
  }
  if (at < to) yield { start: at, end: to };
}

function isQuestion(text: string): boolean {
  return /[?？]["'”’»)]*$/u.test(text);
}

/** The stems of texts of one language; each word is stemmed once. */
class Stemmer {
  private readonly known = new Map<string, string>();

  constructor(private readonly words: LanguageWords) {}

  stemsOf(text: string): Map<string, number> {
    const stems = new Map<string, number>();
    for (const word of wordsIn(text.normalize('NFKC'))) {
      if (this.words.isStopWord(word)) continue;
      const stem = this.stem(word);
      stems.set(stem, (stems.get(stem) ?? 0) + 1);
    }
    return stems;
  }

  private stem(word: string): string {
    let stem = this.known.get(word);
    if (stem === undefined) {
      stem = this.words.stem(word);
      if (this.known.size < MOST_SENTENCES) this.known.set(word, stem);
    }
    return stem;
  }
}

/** The words of a text in lower case; of a name such as `max_size` or `MaxSize` the whole of it, too. */
function* wordsIn(text: string): Generator<string> {
  if (UNSPACED.test(text)) {
    for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) yield segment.toLowerCase();
    return;
  }
  for (const [word] of text.matchAll(WORD)) {
    const parts = word.split(NAME_PARTS).filter((part) => part !== '');
    if (parts.length > 1) for (const part of parts) yield part.toLowerCase();
    if (parts.length > 0) yield word.toLowerCase();
  }
}
