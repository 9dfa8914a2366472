import type { PageWord } from './page-words.js';
import type { LayoutWord } from './layout.types.js';

/** How high letters are, in parts of their size: those with a stem, and those without. */
const TALL = 0.73;
const LOW = 0.53;
const DESCENT = 0.21;

const HAS_STEM = /[\p{Lu}\p{N}bdfhklt&€$£@%/|()[\]!?#]/u;
const DESCENDS = /[gjpqyQ,;()[\]|@$]/;
const ONLY_MARKS = /^[^\p{L}\p{N}]+$/u;

/** The box of an item of a PDF file reaches so far below its letters' line, in parts of its height. */
const BOX_DESCENT = 0.2;

/** Words that seem so many times as large as usual on their page, or so many times smaller, are not. */
const MOST_TIMES = 4;

/**
 * Brings words to the form in which lines are read.
 * @param text of the page
 * @param page.aspect its width by its height
 * @param page.isRecognized whether boxes hold the letters alone, as those of tesseract do
 * @param page.slope how much a line falls by its way to the right, in heights of the page both
 */
export function measureWords(
  text: string,
  words: readonly PageWord[],
  page: { readonly aspect: number; readonly isRecognized: boolean; readonly slope: number },
): LayoutWord[] {
  const sizes = words.map((word) => (page.isRecognized ? recognizedSize(text, word) : heightOf(word)));
  const usual = medianOf(sizes.filter((size) => size > 0));
  return words.map((word, index) => {
    const [left, top, right, bottom] = word.box;
    const isOdd = !(sizes[index]! > usual / MOST_TIMES && sizes[index]! < usual * MOST_TIMES);
    const size = isOdd ? usual : sizes[index]!;
    const fall = ((left + right) / 2) * page.aspect * page.slope;
    const descent = page.isRecognized ? (descends(text, word) ? DESCENT * size : 0) : heightOf(word) * BOX_DESCENT;
    return {
      ...word,
      left: left * page.aspect,
      right: right * page.aspect,
      top: top - fall,
      bottom: bottom - fall,
      baseline: baselineOf(text, word, size, descent) - fall,
      size,
    };
  });
}

/** How much the lines of a recognized page fall, as in `measureWords`: the median of its lines, longer ones count more. */
export function slopeOf(text: string, words: readonly PageWord[], aspect: number): number {
  const slopes: { slope: number; weight: number }[] = [];
  let first: PageWord | undefined;
  let last: PageWord | undefined;
  const close = () => {
    const across = first && last ? (last.box[0] - first.box[0]) * aspect : 0;
    if (first && last && across > 0.08) {
      slopes.push({ slope: (letterBottom(text, last) - letterBottom(text, first)) / across, weight: across });
    }
  };
  for (const word of words) {
    if (!last || word.box[0] < last.box[2] - 0.01 || Math.abs(word.box[3] - last.box[3]) > heightOf(word)) {
      close();
      first = word;
    }
    last = word;
  }
  close();
  return weightedMedian(slopes);
}

function letterBottom(text: string, word: PageWord): number {
  return word.box[3] - (descends(text, word) ? DESCENT * recognizedSize(text, word) : 0);
}

function weightedMedian(slopes: { slope: number; weight: number }[]): number {
  slopes.sort((one, other) => one.slope - other.slope);
  const half = slopes.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const { slope, weight } of slopes) {
    sum += weight;
    if (sum >= half) return slope;
  }
  return 0;
}

function heightOf({ box }: PageWord): number {
  return box[3] - box[1];
}

/** How large the letters of a box around them are: a word without stems is lower. 0: its signs tell nothing. */
function recognizedSize(text: string, word: PageWord): number {
  const letters = text.slice(word.start, word.end);
  if (ONLY_MARKS.test(letters)) return 0;
  return heightOf(word) / ((HAS_STEM.test(letters) ? TALL : LOW) + (DESCENDS.test(letters) ? DESCENT : 0));
}

function descends(text: string, { start, end }: PageWord): boolean {
  return DESCENDS.test(text.slice(start, end));
}

function baselineOf(text: string, word: PageWord, size: number, descent: number): number {
  const letters = text.slice(word.start, word.end);
  // A dash stands at half of the height.
  const lift = /^[-–—=~*·•]+$/.test(letters) ? size * 0.25 : 0;
  return word.box[3] - (lift > 0 ? -lift : descent);
}

/** The middle one of some numbers; 0 of none. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
