import type { LayoutWord } from '../../layout/layout.types.js';
import { letterEdges } from '../../layout/letter-widths.js';
import { isSideways } from '../../layout/page-words.js';
import { wordsBetween } from '../../layout/words-between.js';
import { boxAround } from '../../layout/page-layout.js';
import type { LabelMeaning } from '../labels/label-index.js';
import type { PageIndex } from '../page-index.js';
import type { Proposal, Relation } from '../rules.types.js';
import { detached } from '../../../platform/text/detached.js';
import type { RawValue } from '../values/raw-value.js';

/** Where a value stands: what of a proposal is known before its value is. */
export type Place = Pick<Proposal, 'page' | 'pageIndex' | 'quote' | 'start' | 'end' | 'box' | 'origin'> & {
  /** See `Evidence`. */
  readonly recognition?: number;
};

/** What may be the value of a field. */
export interface Candidate {
  readonly raw: RawValue;
  readonly place: Place;
  readonly relation: Relation;
  readonly label: LabelMeaning['source'] | 'none';
  readonly labelQuality: number;
  /** 0–1, before the checks. */
  readonly score: number;
}

/** A quote has so many units at most. */
export const LONGEST_QUOTE = 1_000;

/**
 * The place of a part of a page's text.
 * @param words those around it, in the order of the text
 */
export function toPlace(
  { page, index }: Pick<PageIndex, 'page' | 'index'>,
  start: number,
  end: number,
  words: readonly LayoutWord[],
): Place {
  const own = wordsBetween(words, start, end);
  const box = boxAround(own.map((word) => clip(word, page.text, start, end)));
  const isRecognized = page.origin === 'ocr';
  return {
    ...(page.number === undefined ? {} : { page: page.number }),
    pageIndex: index,
    quote: detached(page.text.slice(start, end)),
    start,
    end,
    ...(box ? { box } : {}),
    origin: page.origin,
    ...(isRecognized ? { recognition: Math.min(1, ...own.map(({ confidence }) => confidence ?? 0)) } : {}),
  };
}

/** A word as far as it stands between two places of the text: its box by the usual widths of letters. */
function clip(word: LayoutWord, text: string, start: number, end: number): Pick<LayoutWord, 'box'> {
  const isWhole = word.start >= start && word.end <= end;
  if (!word.box || isWhole || isSideways({ ...word, box: word.box }, 1)) return word;
  const [left, top, right, bottom] = word.box;
  const edges = letterEdges(text.slice(word.start, word.end));
  const at = (place: number) => left + (right - left) * (edges[place - word.start] ?? 1);
  return { box: [at(Math.max(start, word.start)), top, at(Math.min(end, word.end)), bottom] };
}
