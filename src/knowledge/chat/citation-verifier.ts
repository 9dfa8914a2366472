import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { findSupport } from '../../platform/text/support/find-support.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import { findMarks } from './citation-marks.js';
import { Claims } from './claims.js';
import type { Claim } from './claims.js';
import type { HiddenText } from './hidden-text.js';
import { settled, standIn, withMarks, withoutStandIns } from './proven-marks.js';

/** More marks of one answer are taken out unread. */
const MOST_MARKS = 200;
/** More units are no sentence that is looked for. */
const LONGEST_CLAIM = 2_000;
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

/** A mark that is true. */
interface FoundCitation {
  readonly number: number;
  readonly passage: CitedPassage;
  readonly quote: string;
}

/** Checks the marks of an answer: one stays where its passage was given, and supports the sentence that it stands at. */
export class CitationVerifier {
  /** Of the marks that have stayed, in their order; each passage once with a quote. */
  readonly citations: RawCitation[] = [];
  private checked = 0;

  /**
   * @param passages in the order of their numbers; fewer of them may be given in the end
   * @param cooperation of the whole answer; its signal ends a long check
   */
  constructor(
    private passages: readonly CitedPassage[],
    private readonly cooperation: CooperativeYield,
  ) {}

  /** The same for a text whose marks are not told as citations. */
  withoutCitations(): Pick<CitationVerifier, 'verify'> {
    return { verify: (written, hidden) => this.check(written, hidden, () => undefined) };
  }

  /** Says that but so many passages fitted into the prompt, the first ones. */
  keep(count: number): void {
    this.passages = this.passages.slice(0, count);
  }

  /**
   * A sentence without the marks that are not true.
   * @param written a sentence with the marks and the white space behind it
   * @param hidden what its text hides so far
   * @throws the reason of the signal
   */
  verify(written: string, hidden: HiddenText): Promise<string> {
    return this.check(written, hidden, (found) => this.add(found));
  }

  private async check(written: string, hidden: HiddenText, add: (found: FoundCitation) => void): Promise<string> {
    const sentence = withoutStandIns(written);
    const { isCode } = hidden;
    const groups = findMarks(sentence, isCode);
    if (groups.length === 0) {
      // Nor may it end in a bracket that would be a mark with what follows.
      const closed = settled(sentence, isCode);
      return closed === sentence ? written : closed;
    }
    const between = [...groups, undefined].map((group, index) =>
      sentence.slice(groups[index - 1]?.end ?? 0, group?.start ?? sentence.length),
    );
    const isShown = hidden.shows(between.join(''));
    const claims = new Claims(between, hidden);
    let verified = between[0] ?? '';
    for (const [index, { start, end, numbers }] of groups.entries()) {
      const behind = between[index + 1] ?? '';
      const marks = isShown ? await this.marksOf(numbers, () => claims.at(index), add) : '';
      const space = /^\s*/.exec(sentence.slice(start, end))?.[0] ?? '';
      if (marks !== '') verified += space + marks + behind;
      else verified += verified === '' && !isCode ? behind.trimStart() : behind;
    }
    return withMarks(settled(verified, isCode));
  }

  private async marksOf(
    numbers: readonly number[],
    claimsAt: () => readonly Claim[],
    add: (found: FoundCitation) => void,
  ): Promise<string> {
    let marks = '';
    for (const number of numbers) {
      const passage = this.passages[number - 1];
      this.checked += 1;
      if (!passage || this.checked > MOST_MARKS) continue;
      const quote = await this.quoteOf(passage, claimsAt());
      if (quote === undefined) continue;
      add({ number, passage, quote });
      marks += standIn(number);
    }
    return marks;
  }

  private async quoteOf({ text, language }: CitedPassage, claims: readonly Claim[]): Promise<string | undefined> {
    for (const claim of claims) {
      let span: TextSpan | undefined;
      for (const reading of new Set(claim.map((part) => part.trim()))) {
        if (this.cooperation.isDue) await this.cooperation.yield();
        const isLong = reading.length > LONGEST_CLAIM;
        span = isLong ? undefined : await findSupport(text, reading, language ?? undefined, this.cooperation);
        if (!span) break;
      }
      if (span) return text.slice(span.start, span.end);
    }
    return undefined;
  }

  private add({ number: index, passage, quote }: FoundCitation): void {
    if (this.citations.some((known) => known.index === index && known.quote === quote)) return;
    const { fileId, filename, page, chunkId } = passage;
    this.citations.push({ index, file_id: fileId, filename, page, chunk_id: chunkId, quote });
  }
}
