import type { DropReason } from './verification.types.js';

/** For why sentences beyond a room are dropped. */
const REASON: DropReason = 'too_many_claims';
/** What a sentence and a quote take beside their texts, in bytes. */
const BESIDE = 200;

/** A sentence with its quotes, as far as its size goes. */
interface SizedSentence {
  readonly text: string;
  readonly quotes: readonly { readonly quote: string; readonly source?: { readonly url: string } }[];
}

/** Sentences that are kept, and how many are not, for which reason. */
interface FittingSentences<Sentence> {
  readonly kept: readonly Sentence[];
  readonly dropped: Readonly<Record<string, number>>;
}

/** Room for so many sentences with so many bytes: a model may claim each sentence of all that it reads. */
export class SentenceRoom {
  constructor(
    private sentences: number,
    private bytes: number,
  ) {}

  /** The first of some sentences, as many as there is still room for; what was taken before is not kept twice. */
  fitting<Sentence extends SizedSentence>(sentences: readonly Sentence[]): FittingSentences<Sentence> {
    let left = this.bytes;
    const kept: Sentence[] = [];
    for (const sentence of sentences.slice(0, Math.max(0, this.sentences))) {
      left -= sizeOf(sentence);
      if (left < 0) break;
      kept.push(sentence);
    }
    const count = sentences.length - kept.length;
    return { kept, dropped: count > 0 ? { [REASON]: count } : {} };
  }

  /** Takes the room of sentences that are kept. */
  take(sentences: readonly SizedSentence[]): void {
    this.sentences -= sentences.length;
    for (const sentence of sentences) this.bytes -= sizeOf(sentence);
  }
}

/** Adds what was dropped to what was dropped before. */
export function addDropped(into: Record<string, number>, dropped: Readonly<Record<string, number>>): void {
  for (const [reason, count] of Object.entries(dropped)) into[reason] = (into[reason] ?? 0) + count;
}

/** In bytes of UTF-8. */
function sizeOf({ text, quotes }: SizedSentence): number {
  const quoted = quotes.map(({ quote, source }) => bytesOf(quote) + bytesOf(source?.url ?? '') + BESIDE);
  return quoted.reduce((sum, size) => sum + size, bytesOf(text) + BESIDE);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
