import { sentencesIn } from '../../platform/text/sentences/sentences.js';

/** How long the first pieces of a text may be, in UTF-16 units: the first is short, so that its sound is there early. */
const LONGEST = [120, 280, 600, 1_000];
/** What is shorter is spoken with the sentence behind it. */
const SHORTEST = 12;

const CLAUSE_END = /[,;:\u2014\u3001\uff0c](?=\s)|[\u3001\uff0c]|\n/g;
/** Behind a full stop that ends no sentence, as in `Dr. Smith`, nothing is cut. */
const BLANK = /(?<!\.)\s+/g;

/**
 * Cuts a text into pieces that are spoken one after another: at ends of sentences, or of clauses where a sentence is
 * long, or at blanks. The first is one sentence, later ones are longer; none has blanks alone.
 */
export function* speechPieces(text: string): Generator<string, void, undefined> {
  let from = 0;
  for (let count = 0; from < text.length;) {
    const longest = LONGEST[Math.min(count, LONGEST.length - 1)] as number;
    const end = from + endOfPiece(text.slice(from, from + longest + 1), longest, count === 0);
    const piece = text.slice(from, end).trim();
    from = end;
    if (piece === '') continue;
    count += 1;
    yield piece;
  }
}

/** @param window what is left of the text, at most one unit more than a piece may have */
function endOfPiece(window: string, longest: number, isFirst: boolean): number {
  const sentences = sentenceEnds(window, longest).filter((end) => end >= SHORTEST);
  const sentence = isFirst ? sentences[0] : sentences.at(-1);
  if (window.length <= longest) return (isFirst ? sentence : undefined) ?? window.length;
  const found = sentence ?? endsOf(CLAUSE_END, window, longest).at(-1) ?? endsOf(BLANK, window, longest).at(-1);
  if (found !== undefined && found > 0) return found;
  // A pair of surrogates stays together.
  return /[\ud800-\udbff]/.test(window.charAt(longest - 1)) ? longest - 1 : longest;
}

/** What ends with the window may go on behind it, and is none. */
function sentenceEnds(window: string, longest: number): number[] {
  const ends = Array.from(sentencesIn(window), ({ end }) => end).slice(0, -1);
  return ends.filter((end) => end <= longest);
}

function endsOf(pattern: RegExp, window: string, longest: number): number[] {
  const ends = [...window.matchAll(pattern)].map((match) => match.index + match[0].length);
  return ends.filter((end) => end <= longest);
}
