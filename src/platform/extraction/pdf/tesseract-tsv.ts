import type { ExtractedPage } from '../extraction.types.js';
import { PageText } from './page-text.js';
import type { PageSize, Place } from './page-text.js';

/** What a line of tesseract's table tells of. */
const LEVEL = { page: 1, word: 5 } as const;

/** Less sure than this, 0–1, it is dirt. */
const LEAST_CONFIDENCE = 0.1;

/** Chooses among words by where they stand on their page, 0–1. */
export type WordFilter = (word: string, place: Place) => boolean;

/** The pages of tesseract's table of words. @param isWanted default: all of them */
export function readTsv(tsv: string, isWanted: WordFilter = () => true): ExtractedPage[] {
  const pages: ExtractedPage[] = [];
  let text: PageText | undefined;
  let size: PageSize = { width: 1, height: 1 };
  let paragraph = '';
  let line = '';
  const finish = () => {
    if (text) pages.push(text.page(pages.length + 1, 'ocr'));
  };
  for (const row of tsv.split('\n').slice(1)) {
    const [level, , block, paragraphNumber, lineNumber, , left, top, width, height, confidence, word = ''] =
      row.split('\t');
    if (Number(level) === LEVEL.page) {
      finish();
      size = { width: Number(width), height: Number(height) };
      text = new PageText(size);
      paragraph = '';
    }
    const isWord = Number(level) === LEVEL.word && word.trim() !== '' && Number(confidence) >= LEAST_CONFIDENCE * 100;
    if (!text || !isWord) continue;
    const place = {
      left: Number(left),
      top: Number(top),
      right: Number(left) + Number(width),
      bottom: Number(top) + Number(height),
      confidence: Math.round(Number(confidence)) / 100,
    };
    if (!isWanted(word.trim(), toShare(place, size))) continue;
    const isNew = paragraph !== `${block}.${paragraphNumber}`;
    const isNewLine = line !== `${block}.${paragraphNumber}.${lineNumber}`;
    if (isNew) text.begin('paragraph');
    if (isNewLine && !isNew) text.writeLine(word.trim(), place);
    else text.write(word.trim(), place, ' ');
    [paragraph, line] = [`${block}.${paragraphNumber}`, `${block}.${paragraphNumber}.${lineNumber}`];
  }
  finish();
  return pages;
}

function toShare({ left, top, right, bottom, confidence }: Place, { width, height }: PageSize): Place {
  const share = { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
  return confidence === undefined ? share : { ...share, confidence };
}
