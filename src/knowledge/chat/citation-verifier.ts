import { findSupport } from '../../platform/text/support/find-support.js';
import { findMarks } from './citation-marks.js';

/** More marks of one answer are taken out unread. */
const MOST_MARKS = 1_000;

/** A passage that a model was given, under its number: its place in the list, from 1. */
export interface CitedPassage {
  readonly chunkId: string;
  readonly fileId: string;
  readonly filename: string;
  readonly page: number | null;
  /** The titles of the sections that it stands in, the highest first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** As primary subtag of BCP 47; null where it is not known. */
  readonly language: string | null;
}

/** What a sentence of an answer is taken from, as it goes over the wire. */
export interface RawCitation {
  /** The number that stands in the text. */
  readonly index: number;
  readonly file_id: string;
  readonly filename: string;
  /** From 1; null where the format has no pages. */
  readonly page: number | null;
  readonly chunk_id: string;
  /** What supports the sentence, as it stands in the passage. */
  readonly quote: string;
}

/** Checks the marks of an answer: one stays where its passage was given, and supports the sentence that it stands at. */
export class CitationVerifier {
  /** Of the marks that have stayed, in their order; each passage once with a quote. */
  readonly citations: RawCitation[] = [];
  private checked = 0;

  /**
   * @param passages in the order of their numbers; fewer of them may be given in the end
   * @param signal ends a long check
   */
  constructor(
    private passages: readonly CitedPassage[],
    private readonly signal: AbortSignal,
  ) {}

  /** Says that but so many passages fitted into the prompt, the first ones. */
  keep(count: number): void {
    this.passages = this.passages.slice(0, count);
  }

  /**
   * A sentence without the marks that are not true.
   * @param sentence with the marks and the white space behind it
   * @throws the reason of the signal
   */
  async verify(sentence: string): Promise<string> {
    const groups = findMarks(sentence);
    if (groups.length === 0) return sentence;
    const between = [...groups, undefined].map((group, index) =>
      sentence.slice(groups[index - 1]?.end ?? 0, group?.start ?? sentence.length),
    );
    const whole = between.join('');
    let verified = between[0] ?? '';
    for (const [index, { start, end, numbers }] of groups.entries()) {
      const behind = between[index + 1] ?? '';
      // Where several are said in one sentence, a mark is that of what stands before it.
      const isLast = index === groups.length - 1;
      const claims = groups.length === 1 ? [whole] : [(between[index] ?? '') + (isLast ? behind : ''), whole];
      const marks = await this.marksOf(numbers, claims);
      const space = /^\s*/.exec(sentence.slice(start, end))?.[0] ?? '';
      if (marks !== '') verified += space + marks + behind;
      else verified += verified === '' ? behind.trimStart() : behind;
    }
    return verified;
  }

  private async marksOf(numbers: readonly number[], claims: readonly string[]): Promise<string> {
    let marks = '';
    for (const number of numbers) {
      const passage = this.passages[number - 1];
      this.checked += 1;
      if (!passage || this.checked > MOST_MARKS) continue;
      const quote = await this.quoteOf(passage, claims);
      if (quote === undefined) continue;
      this.add({ number, passage, quote });
      marks += `[${number}]`;
    }
    return marks;
  }

  private async quoteOf({ text, language }: CitedPassage, claims: readonly string[]): Promise<string | undefined> {
    for (const claim of claims) {
      const span = await findSupport(text, claim.trim(), language ?? undefined, this.signal);
      if (span) return text.slice(span.start, span.end);
    }
    return undefined;
  }

  private add({ number: index, passage, quote }: { number: number; passage: CitedPassage; quote: string }): void {
    if (this.citations.some((known) => known.index === index && known.quote === quote)) return;
    const { fileId, filename, page, chunkId } = passage;
    this.citations.push({ index, file_id: fileId, filename, page, chunk_id: chunkId, quote });
  }
}
