import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import { loadLanguageWords } from '../../platform/text/support/language-words.js';
import type { LanguageWords } from '../../platform/text/support/language-words.js';

/** A part of a source's text with what stands above it. */
export interface SourcePart {
  readonly start: number;
  readonly end: number;
  /** The headings that it stands under, the highest first. */
  readonly headings: readonly string[];
  /** The term that it explains, in a list of definitions; null where there is none. */
  readonly term: string | null;
}

/** A source in which sentences are looked for. */
export interface SearchedSource {
  readonly id: string;
  readonly title: string | null;
  readonly text: string;
  /** As BCP 47 tag; null where it is not known. */
  readonly language: string | null;
  /** In the order of the text, without overlaps; the whole text where there are none. */
  readonly parts?: readonly SourcePart[];
}

/** A sentence with the stems of its words, and those of what stands around it. */
export interface IndexedSentence {
  readonly sourceId: string;
  readonly text: string;
  readonly stems: ReadonlyMap<string, number>;
  /** How many words it has. */
  readonly length: number;
  /** How much a stem beside the sentence counts: of its term, its headings, its title and the sentence before. */
  readonly context: ReadonlyMap<string, number>;
}

/** Of one source, in UTF-16 units, and of all sources. */
const MOST_TEXT = 1_000_000;
const MOST_SENTENCES = 50_000;
const LEAST_SENTENCE = 15;
const LONGEST_SENTENCE = 1_000;
/** Paragraphs are read in pieces of this length, in UTF-16 units: reading a piece takes no noticeable time. */
const LONGEST_PIECE = 20_000;
const WEIGHTS = { term: 0.7, heading: 0.4, title: 0.3, before: 0.2 } as const;

const BLANK_LINE = /\n[^\S\n]*\n|\r\r/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
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
    let before: ReadonlyMap<string, number> = new Map();
    for (const { text, part } of sentencesOf(source)) {
      if (sentences.size >= MOST_SENTENCES) return [...sentences.values()];
      if (cooperation.isDue) await cooperation.yield();
      const stems = stemmer.stemsOf(text);
      const key = text.replaceAll(/\s+/g, ' ').toLowerCase();
      const isTold =
        text.length >= LEAST_SENTENCE && text.length <= LONGEST_SENTENCE && stems.size > 1 && !isQuestion(text);
      if (isTold && !sentences.has(key)) {
        const context = contextOf([
          [before, WEIGHTS.before],
          [title, WEIGHTS.title],
          [stemmer.stemsOf(part.headings.join(' ')), WEIGHTS.heading],
          [stemmer.stemsOf(part.term ?? ''), WEIGHTS.term],
        ]);
        const length = [...stems.values()].reduce((sum, count) => sum + count, 0);
        sentences.set(key, { sourceId: source.id, text, stems, length, context });
      }
      before = stems;
    }
  }
  return [...sentences.values()];
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

function* sentencesOf(source: SearchedSource): Generator<{ text: string; part: SourcePart }> {
  const text = source.text.slice(0, MOST_TEXT);
  const parts = source.parts?.length ? source.parts : [{ start: 0, end: text.length, headings: [], term: null }];
  for (const part of parts) {
    for (const piece of piecesOf(text.slice(part.start, part.end))) {
      for (const { start, end } of sentencesIn(piece)) yield { text: piece.slice(start, end), part };
    }
  }
}

/** The paragraphs of a text; longer ones in pieces of whole words. */
function* piecesOf(text: string): Generator<string> {
  let at = 0;
  for (const { index, 0: line } of text.matchAll(BLANK_LINE)) {
    yield* shortPieces(text, at, index);
    at = index + line.length;
  }
  yield* shortPieces(text, at, text.length);
}

function* shortPieces(text: string, from: number, to: number): Generator<string> {
  if (from === to) return;
  let at = from;
  while (to - at > LONGEST_PIECE) {
    const piece = text.slice(at, at + LONGEST_PIECE);
    const space = piece.lastIndexOf(' ');
    const end = space > 0 ? at + space : at + LONGEST_PIECE;
    yield text.slice(at, end);
    at = end;
  }
  yield text.slice(at, to);
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
    for (const word of wordsIn(text.normalize('NFKC').toLowerCase())) {
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

function* wordsIn(text: string): Generator<string> {
  if (UNSPACED.test(text)) {
    for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) yield segment;
  } else {
    for (const [word] of text.matchAll(WORD)) yield word;
  }
}
