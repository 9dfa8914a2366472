import type { TextSpan } from '../../platform/text/text-span.js';
import { closersOf, familyOf, type MarkFamily, type QuotationMark } from './quotation-marks.js';

/** Quotations within one another that are told apart; beyond, all is taken as quoted. */
const DEEPEST = 64;
/** Of a quotation with its marks: what is shorter says nothing. */
const SHORTEST = 4;
/** A mark that is mostly an apostrophe where nothing closes it. */
const MOSTLY_APOSTROPHE = '’';
/** How far behind a beginning its end may stand, in another paragraph, in UTF-16 units. */
const MOST_APART = 4_000;
/** Code is written between such marks, too. */
const CODE = '``';

/** A quotation with its marks. */
export interface Quotation extends TextSpan {
  /** Whether a mark ends it, or a dash of a dialogue begins it. */
  readonly isMarked: boolean;
}

interface Opened {
  readonly mark: string;
  start: number;
}

/** What a paragraph leaves in doubt to the next one. */
interface Unfinished {
  /** Where a quotation begins that has had no end so far. */
  readonly unended?: number | undefined;
  /** Of each family a quotation that may not have ended where it was taken to. */
  readonly doubtful?: ReadonlyMap<MarkFamily, TextSpan>;
}

/**
 * Reads the marks of a paragraph in order, and tells its outermost quotations. What is in doubt is quoted: an end without
 * a beginning takes what stands before it, a beginning without an end what stands behind it, and a quotation that may have
 * ended at an apostrophe, at inches or behind a number goes on where another mark ends it.
 */
export class QuotedParagraph {
  private readonly open: Opened[] = [];
  /** How many quotations are open that a mark closes. */
  private readonly waiting = new Map<string, number>();
  /** Of each family the first that may not have ended where it was taken to, or may have begun at an elision. */
  private readonly doubtful = new Map<MarkFamily, Opened>();
  private restFrom: number | undefined;
  /** Where a quotation of a paragraph before begins that has had no end so far. */
  private unended: number | undefined;
  private isDialogue = false;
  private unfinished: Unfinished = {};

  /**
   * @param found the quotations of the paragraphs before, which those of this one are added to
   * @param before what the paragraph before has left in doubt
   */
  constructor(
    private readonly found: Quotation[],
    private readonly start: number,
    private readonly before: Unfinished = {},
  ) {
    this.unended = before.unended;
  }

  /** What it leaves in doubt, once it has ended. */
  get left(): Unfinished {
    return this.unfinished;
  }

  /** From here to the end of the paragraph somebody speaks. */
  beginDialogue(at: number): void {
    if (this.restFrom !== undefined) return;
    this.isDialogue = this.open.length === 0;
    this.restFrom = this.open[0]?.start ?? at;
  }

  /** @param isFirst whether the paragraph begins with it: then it goes on with what may not have ended before */
  read(mark: QuotationMark, isFirst: boolean): void {
    if (this.restFrom !== undefined) return;
    const goesOn = isFirst && this.before.doubtful?.get(familyOf(mark.mark));
    if (goesOn) this.add(goesOn.start, goesOn.end, false);
    if (mark.role === 'elides') this.doubt(mark);
    else if (mark.role === 'opens') this.begin(mark);
    else if (mark.role === 'closes') this.close(mark);
    else if (this.isClosedBy(this.open.at(-1), mark)) this.close(mark);
    else this.begin(mark);
  }

  /** Ends with the paragraph what has no end. */
  end(at: number): void {
    const { restFrom } = this;
    const unended = this.open.find(({ mark }) => mark !== MOSTLY_APOSTROPHE);
    if (restFrom !== undefined) this.add(restFrom, at, this.isDialogue);
    else if (unended) {
      this.unended = unended.start;
      this.add(unended.start, at, false);
    }
    const isNear = this.unended !== undefined && at - this.unended <= MOST_APART;
    if (!isNear && this.doubtful.size === 0) return;
    const doubtful = new Map(Array.from(this.doubtful, ([family, { start }]) => [family, { start, end: at }] as const));
    this.unfinished = { unended: isNear ? this.unended : undefined, doubtful };
  }

  private begin({ mark, start }: QuotationMark): void {
    this.open.push({ mark, start });
    this.count(mark, 1);
    if (this.open.length > DEEPEST) this.restFrom = this.open[0]?.start;
  }

  private close(mark: QuotationMark): void {
    const last = this.open.at(-1);
    const isLast = this.isClosedBy(last, mark);
    if (mark.mark === CODE && !isLast) return;
    if (!isLast && (mark.strength !== 'strong' || !this.waiting.get(mark.mark))) {
      this.closeUnopened(mark);
      return;
    }
    let closed = this.open.pop();
    if (closed) this.count(closed.mark, -1);
    while (closed && !this.isClosedBy(closed, mark)) {
      closed = this.open.pop();
      if (closed) this.count(closed.mark, -1);
    }
    if (!closed) return;
    if (mark.strength !== 'strong') this.doubt(closed);
    if (this.open.length === 0) this.add(closed.start, mark.end, true);
  }

  /** What an end without a beginning ends; one that is an apostrophe or inches, and nothing else, ends nothing. */
  private closeUnopened({ mark, strength, end }: QuotationMark): void {
    const doubtful = this.doubtful.get(familyOf(mark));
    if (doubtful) this.extend(doubtful.start, end, true);
    else if (strength === 'strong') {
      this.extend(this.unended ?? this.start, end, false);
      this.unended = undefined;
    }
  }

  private doubt(opened: Opened): void {
    const family = familyOf(opened.mark);
    if (!this.doubtful.has(family)) this.doubtful.set(family, opened);
  }

  /** Takes all from a place as quoted, up to another one or within what is open there. */
  private extend(from: number, to: number, isMarked: boolean): void {
    const outermost = this.open[0];
    if (outermost) outermost.start = Math.min(outermost.start, from);
    else this.add(from, to, isMarked);
  }

  private add(start: number, end: number, isMarked: boolean): void {
    if (end - start < SHORTEST) return;
    let from = start;
    for (let last = this.found.at(-1); last && last.end > start; last = this.found.at(-1)) {
      from = Math.min(from, last.start);
      this.found.pop();
    }
    this.found.push({ start: from, end, isMarked });
  }

  private isClosedBy(opened: Opened | undefined, { mark }: QuotationMark): boolean {
    return opened !== undefined && closersOf(opened.mark).includes(mark);
  }

  private count(opener: string, change: number): void {
    for (const closer of closersOf(opener)) this.waiting.set(closer, (this.waiting.get(closer) ?? 0) + change);
  }
}
