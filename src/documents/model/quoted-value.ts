import { findExcess } from '../../platform/json/json-depth.js';
import type { JsonLimits } from '../../platform/json/json-depth.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { QuotedPassage } from '../../platform/text/quotes/find-quote.js';
import type { Box, LayoutWord, PageLayout } from '../layout/layout.types.js';
import { boxAround } from '../layout/page-layout.js';
import { wordsBetween } from '../layout/words-between.js';
import { parsePath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';
import { textBeside } from '../rules/context/text-beside.js';
import type { Beside } from '../rules/context/text-beside.js';

/** Values of one answer that are looked at, and the UTF-16 units of pages that their quotes are looked for in. */
const MOST_VALUES = 2_000;
const MOST_SEARCHED = 100_000_000;
const LONGEST_QUOTE = 1_000;
/** What a model answers, in UTF-16 units, and as JSON: some ten parts for each value. */
const LONGEST_ANSWER = 2_000_000;
const ANSWER_JSON: JsonLimits = { depth: 16, nodes: 20_000, items: 20_000 };

/** A value that a model has told, with words that stand in the document; whether they say it is not known yet. */
export interface QuotedValue {
  readonly path: ValuePath;
  readonly claimed: string | number | boolean;
  /** As the page has it. */
  readonly quote: string;
  /** What stands before it and behind it on the page. */
  readonly beside: Beside;
  readonly page: number | undefined;
  readonly box: Box | undefined;
  readonly origin: PageLayout['origin'];
}

/**
 * The values of a model's answer whose quotes stand on one of the pages that it was given; all else is left out.
 * @param turn lets others have theirs between two values
 * @throws the reason of its signal
 */
export async function quotedValuesOf(
  answer: JsonObject,
  pages: readonly PageLayout[],
  turn: CooperativeYield,
): Promise<QuotedValue[]> {
  const [choice] = objectsOf(answer.choices);
  const [message] = objectsOf([choice?.message]);
  const { values: told } = parsed(message?.content);
  const values = Array.isArray(told) ? objectsOf(told.slice(0, MOST_VALUES)) : [];
  const search = new PageSearch(pages);
  const quoted = await turn.map(values, (value) => {
    const path = typeof value.field === 'string' ? parsePath(value.field) : undefined;
    const found = path && search.find(value);
    return found ? [{ path, ...found }] : [];
  });
  return quoted.flat();
}

function parsed(content: unknown): JsonObject {
  // JSON within a text was not looked at when the answer was read.
  if (typeof content !== 'string' || content.length > LONGEST_ANSWER) return {};
  if (findExcess(Buffer.from(content), ANSWER_JSON)) return {};
  try {
    return objectsOf([JSON.parse(content)])[0] ?? {};
  } catch {
    return {};
  }
}

/** Looks for the quotes of values on the pages of one window. */
class PageSearch {
  private readonly pages: readonly SearchedPage[];
  private searched = 0;

  constructor(pages: readonly PageLayout[]) {
    this.pages = pages.map((layout) => new SearchedPage(layout));
  }

  /** Looked for on the page that is told first, since models count pages badly. */
  find({ value: claimed, quote, page }: JsonObject): Omit<QuotedValue, 'path'> | undefined {
    const isScalar = typeof claimed === 'string' || typeof claimed === 'number' || typeof claimed === 'boolean';
    if (!isScalar || typeof quote !== 'string' || quote.length > LONGEST_QUOTE) return undefined;
    const told = this.pages[Number(page) - 1];
    for (const one of told ? [told, ...this.pages.filter((other) => other !== told)] : this.pages) {
      this.searched += one.layout.text.length;
      if (this.searched > MOST_SEARCHED) return undefined;
      const found = one.find(quote);
      if (found) return { claimed, ...found };
    }
    return undefined;
  }
}

/** A page, with what is made of it once for all quotes. */
class SearchedPage {
  private passage: QuotedPassage | undefined;
  private words: readonly LayoutWord[] | undefined;

  constructor(readonly layout: PageLayout) {}

  find(quote: string): Omit<QuotedValue, 'path' | 'claimed'> | undefined {
    const { number, origin, text } = this.layout;
    this.passage ??= new QuotedPassage(text);
    const span = this.passage.find(quote);
    if (!span) return undefined;
    const { start, end } = span;
    return {
      quote: text.slice(start, end),
      beside: textBeside(text, start, end),
      page: number,
      box: boxAround(wordsBetween(this.wordsInOrder, start, end)),
      origin,
    };
  }

  /** In the order of the text. */
  private get wordsInOrder(): readonly LayoutWord[] {
    this.words ??= this.layout.lines
      .flatMap(({ cells }) => cells.flatMap(({ words }) => words))
      .toSorted((one, other) => one.start - other.start);
    return this.words;
  }
}
