import type { TextSpan } from '../../platform/text/text-span.js';
import { Quotations } from './quotations.js';
import type { Quotation } from './quoted-paragraph.js';
import type { Snapshot } from './snapshot.js';

/** A quotation of fewer words is a term or a title. */
const LEAST_QUOTED_WORDS = 4;
/** What begins a dialogue or a quoted line is an item of a list in a report. */
const BARE_BEGINNING = /[\p{Pd}\u2212>\uff1e]/u;

/** What a claim itself has in marks, so that nobody takes it for what its source says. */
export class ClaimedQuotations {
  private readonly said: ReadonlySet<string>;
  private readonly isWhole: boolean;
  private readonly words: readonly string[];

  constructor(claim: string) {
    const marked = Quotations.of(claim).all.filter(
      ({ isMarked, start }) => isMarked && !BARE_BEGINNING.test(claim.charAt(start)),
    );
    this.words = wordsOf(claim);
    this.said = new Set(marked.map(({ start, end }) => onlySaid(claim.slice(start, end))));
    this.isWhole = this.said.has(onlySaid(claim));
  }

  /**
   * Whether a part of a source may prove the claim in the claim's own words: no sentence of the part lies within a
   * quotation, and none has one with most of what the claim says, as in `“…,” said Smith`; or the claim is a quotation
   * as a whole, or has the same one with its marks.
   */
  async mayCite(snapshot: Snapshot, part: TextSpan): Promise<boolean> {
    if (this.isWhole) return true;
    if (!(await this.mayShow(snapshot, part))) return false;
    const { text } = snapshot.source;
    const quotations = await snapshot.quotationsIn(part);
    return quotations.every((quotation) => {
      const { start, end } = quotation;
      const quoted = text.slice(Math.max(part.start, start), Math.min(part.end, end));
      return this.has(text, quotation) || !this.isMostlyIn(quoted);
    });
  }

  /** Whether a part of a source may be shown for the claim: no sentence of it is shown without the marks around it. */
  async mayShow(snapshot: Snapshot, part: TextSpan): Promise<boolean> {
    const quotations = await snapshot.quotationsAround(part);
    return quotations.every((quotation) => isWithin(quotation, part) && this.has(snapshot.source.text, quotation));
  }

  private isMostlyIn(quoted: string): boolean {
    const words = new Set(wordsOf(quoted));
    if (words.size < LEAST_QUOTED_WORDS) return false;
    return this.words.filter((word) => words.has(word)).length > this.words.length / 2;
  }

  private has(text: string, { start, end }: Quotation): boolean {
    return this.said.has(onlySaid(text.slice(start, end)));
  }
}

function isWithin(inner: TextSpan, outer: TextSpan): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function onlySaid(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
