/** A part of a source's text with what stands above it. */
export interface SourcePart {
  readonly start: number;
  readonly end: number;
  /** The term that it explains, in a list of definitions, or its heading; null where there is none. */
  readonly term: string | null;
  /** Where that stands, where its explanation follows at once. */
  readonly termStart?: number;
}

const BLANK_LINE = /\n[^\S\n]*\n\s*|\r\r/g;
/** In UTF-16 units. */
const LONGEST_HEADING = 100;
/** What a paragraph ends with, or a row of a table has. */
const NO_HEADING = /[.,:;!?…。？！|]\s*$|\n| \| /u;
const LEAST_LETTERS = /\p{L}{2}/u;
/** What Markdown writes before a heading is no part of it. */
const HEADING_MARK = /^#{1,6}[^\S\n]+/;

/**
 * The parts of a text of blocks between blank lines: a block of one short line that does not end as a sentence does is the
 * heading, or the term, of the blocks behind it. Takes time in proportion to the text, in steps between which others may
 * have their turn: undefined where a block ends no part.
 */
export function* sourceParts(text: string): Generator<SourcePart | undefined> {
  let heading: { readonly text: string; readonly start: number } | undefined;
  let from = 0;
  for (const { start, end } of blocksOf(text)) {
    yield;
    const block = text.slice(start, Math.min(end, start + LONGEST_HEADING + 1));
    if (end - start > LONGEST_HEADING || NO_HEADING.test(block) || !LEAST_LETTERS.test(block)) continue;
    if (start > from) yield partOf(from, start, heading);
    const mark = HEADING_MARK.exec(block)?.[0].length ?? 0;
    heading = { text: block.slice(mark).trim(), start: start + mark };
    from = end;
  }
  if (text.length > from) yield partOf(from, text.length, heading);
}

function partOf(start: number, end: number, heading?: { readonly text: string; readonly start: number }): SourcePart {
  return { start, end, term: heading?.text ?? null, ...(heading && { termStart: heading.start }) };
}

function* blocksOf(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (const { index, 0: blank } of text.matchAll(BLANK_LINE)) {
    if (index > start) yield { start, end: index };
    start = index + blank.length;
  }
  if (text.length > start) yield { start, end: text.length };
}
