import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { detectLanguage } from '../../platform/text/language.js';
import { QuotedPassage } from '../../platform/text/quotes/find-quote.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import { Quotations } from './quotations.js';
import type { Quotation } from './quoted-paragraph.js';
import type { SnapshotSource } from './verification.types.js';

/** How far around a quote its sentences are looked for, in UTF-16 units. */
const MOST_AROUND = 4_000;
const BLANK_LINE = /\n[^\S\n]*\n|\r\r/g;

/** The text of a source in which quotes are looked for: what is done with it alone is done once. */
export class Snapshot {
  private passage: Promise<QuotedPassage> | undefined;
  private language: Promise<string | undefined> | undefined;
  private quotations: Promise<Quotations> | undefined;

  constructor(
    readonly source: SnapshotSource,
    private readonly cooperation: CooperativeYield,
  ) {}

  /** Where a quote stands, word for word. @throws the reason of the signal */
  async find(quote: string, minCharacters: number): Promise<TextSpan | undefined> {
    this.passage ??= QuotedPassage.of(this.source.text, this.cooperation);
    const passage = await this.passage;
    return this.cooperation.finish(passage.findInSteps(quote, minCharacters));
  }

  /**
   * The language of a part of the text, as its primary tag: what the part is written in, else what the whole text is, else
   * what the source declares, which is the word of a page alone.
   */
  async languageOf({ start, end }: TextSpan): Promise<string | undefined> {
    const { text, language } = this.source;
    const own = await detectLanguage(text.slice(start, end));
    if (own !== undefined) return own;
    this.language ??= detectLanguage(text);
    return (await this.language) ?? language?.split(/[-_]/)[0]?.toLowerCase();
  }

  /** The whole sentences that a part of the text lies in: what they deny or doubt is no longer cut off. */
  sentencesAround(span: TextSpan): TextSpan {
    const whole = { ...span };
    for (const { start, end } of this.sentencesOf(span)) {
      whole.start = Math.min(whole.start, start);
      whole.end = Math.max(whole.end, end);
    }
    return whole;
  }

  /** The quotations that sentences of a part of the text lie within as a whole. @throws the reason of the signal */
  async quotationsAround(span: TextSpan): Promise<Quotation[]> {
    const quotations = await this.allQuotations();
    if (!quotations.hasAny(span)) return [];
    return this.sentencesOf(span).flatMap((sentence) => quotations.around(this.source.text, sentence) ?? []);
  }

  /** The quotations that have anything of a part of the text. @throws the reason of the signal */
  async quotationsIn(span: TextSpan): Promise<readonly Quotation[]> {
    return (await this.allQuotations()).within(span);
  }

  private allQuotations(): Promise<Quotations> {
    this.quotations ??= this.cooperation.finish(Quotations.inSteps(this.source.text));
    return this.quotations;
  }

  private sentencesOf(span: TextSpan): TextSpan[] {
    const { start: from, end: to } = this.paragraphAround(span);
    return Array.from(sentencesIn(this.source.text.slice(from, to)), ({ start, end }) => {
      return { start: from + start, end: from + end };
    }).filter(({ start, end }) => end > span.start && start < span.end);
  }

  private paragraphAround(span: TextSpan): TextSpan {
    const { text } = this.source;
    const from = Math.max(0, span.start - MOST_AROUND);
    const before = [...text.slice(from, span.start).matchAll(BLANK_LINE)].at(-1);
    const behind = text.slice(span.end, span.end + MOST_AROUND);
    const end = span.end + (behind.match(new RegExp(BLANK_LINE.source))?.index ?? behind.length);
    return { start: before ? from + before.index + before[0].length : from, end };
  }
}
