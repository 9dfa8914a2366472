import type { ExtractedPage } from '../../platform/extraction/extraction.types.js';
import type { Box, LayoutLine, LayoutWord, PageLayout } from './layout.types.js';
import { linesOf } from './lines.js';
import { unionOf, wordsOf } from './page-words.js';
import { textLinesOf } from './text-lines.js';
import { measureWords, slopeOf } from './word-metrics.js';

/** A page of A4, where nobody has told. */
const USUAL_ASPECT = 210 / 297;

/**
 * Reads a page as words, lines and cells; takes time in proportion to it, but for sorting. The lines of a scan are
 * levelled by their slope for that, while boxes stay those of the page as it is shown.
 */
export function layOutPage(page: ExtractedPage): PageLayout {
  const { number, origin, text, blocks } = page;
  const hasBoxes = (page.boxes?.length ?? 0) > 0;
  const lines = hasBoxes ? boxedLinesOf(page) : textLinesOf(page);
  return { ...(number === undefined ? {} : { number }), origin, text, blocks, lines, hasBoxes };
}

/** The box around some words; undefined where they have none. */
export function boxAround(words: readonly Pick<LayoutWord, 'box'>[]): Box | undefined {
  const boxes = words.flatMap(({ box }) => (box ? [box] : []));
  const [left, top, right, bottom] = unionOf(boxes);
  return left < right && top < bottom ? [left, top, right, bottom] : undefined;
}

function boxedLinesOf({ text, boxes, origin, aspect = USUAL_ASPECT }: ExtractedPage): LayoutLine[] {
  const words = wordsOf({ text, aspect, ...(boxes ? { boxes } : {}) });
  const isRecognized = origin === 'ocr';
  const slope = isRecognized ? slopeOf(text, words, aspect) : 0;
  return linesOf(measureWords(text, words, { aspect, isRecognized, slope }), text);
}
