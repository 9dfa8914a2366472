import type { TextSpan } from '../../platform/text/text-span.js';
import { Quotations } from './quotations.js';
import type { Quotation } from './quoted-paragraph.js';
import type { Snapshot } from './snapshot.js';

/** What a claim itself has in marks, so that nobody takes it for what its source says. */
export class ClaimedQuotations {
  private readonly said: ReadonlySet<string>;
  private readonly isWhole: boolean;

  constructor(claim: string) {
    const marked = Quotations.of(claim).all.filter(({ isMarked }) => isMarked);
    this.said = new Set(marked.map(({ start, end }) => onlySaid(claim.slice(start, end))));
    this.isWhole = this.said.has(onlySaid(claim));
  }

  /**
   * Whether a part of a source may prove the claim in the claim's own words: no sentence of the part lies within a
   * quotation, or the claim is one as a whole, or has the same quotation with its marks.
   */
  async mayCite(snapshot: Snapshot, part: TextSpan): Promise<boolean> {
    return this.isWhole || (await this.mayShow(snapshot, part));
  }

  /** Whether a part of a source may be shown for the claim: no sentence of it is shown without the marks around it. */
  async mayShow(snapshot: Snapshot, part: TextSpan): Promise<boolean> {
    const quotations = await snapshot.quotationsAround(part);
    return quotations.every((quotation) => isWithin(quotation, part) && this.has(snapshot.source.text, quotation));
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
