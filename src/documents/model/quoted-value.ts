import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { findQuote } from '../../platform/text/quotes/find-quote.js';
import type { Box, LayoutWord, PageLayout } from '../layout/layout.types.js';
import { boxAround } from '../layout/page-layout.js';
import { parsePath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';

/** Values of one answer that are looked at. */
const MOST_VALUES = 2_000;
const LONGEST_QUOTE = 1_000;

/** A value that a model has told, with words that stand in the document; whether they say it is not known yet. */
export interface QuotedValue {
  readonly path: ValuePath;
  readonly claimed: string | number | boolean;
  /** As the page has it. */
  readonly quote: string;
  readonly page: number | undefined;
  readonly box: Box | undefined;
  readonly origin: PageLayout['origin'];
}

/** The values of a model's answer whose quotes stand on one of the pages that it was given; all else is left out. */
export function quotedValuesOf(answer: JsonObject, pages: readonly PageLayout[]): QuotedValue[] {
  const [choice] = objectsOf(answer.choices);
  const [message] = objectsOf([choice?.message]);
  const values = objectsOf(parsed(message?.content).values).slice(0, MOST_VALUES);
  return values.flatMap((value) => {
    const path = typeof value.field === 'string' ? parsePath(value.field) : undefined;
    const found = path && findOnPages(value, pages);
    return found ? [{ path, ...found }] : [];
  });
}

function parsed(content: unknown): JsonObject {
  if (typeof content !== 'string') return {};
  try {
    return objectsOf([JSON.parse(content)])[0] ?? {};
  } catch {
    return {};
  }
}

/** Looked for on the page that is told first, since models count pages badly. */
function findOnPages({ value: claimed, quote, page }: JsonObject, pages: readonly PageLayout[]) {
  const isScalar = typeof claimed === 'string' || typeof claimed === 'number' || typeof claimed === 'boolean';
  if (!isScalar || typeof quote !== 'string' || quote.length > LONGEST_QUOTE) return undefined;
  const told = pages[Number(page) - 1];
  for (const layout of told ? [told, ...pages.filter((other) => other !== told)] : pages) {
    const span = findQuote(layout.text, quote);
    if (!span) continue;
    const { number, origin, text } = layout;
    return {
      claimed,
      quote: text.slice(span.start, span.end),
      page: number,
      box: boxAround(wordsIn(layout, span.start, span.end)),
      origin,
    };
  }
  return undefined;
}

function wordsIn({ lines }: PageLayout, start: number, end: number): LayoutWord[] {
  return lines
    .flatMap(({ cells }) => cells.flatMap(({ words }) => words))
    .filter((word) => word.start < end && word.end > start);
}
