const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** So many characters are read in a line of a subtitle while it is shown. */
export const CUE_LINE_CHARACTERS = 42;

/**
 * Breaks a text into lines at its blanks; what is longer than a line without one is broken between words, as in languages
 * that write no blanks, and else between characters. The lines are as many as are needed, a multiple of `group` where there
 * are several, and about as long as each other.
 * @param longest of a line, in UTF-16 units
 */
export function wrappedLines(text: string, longest: number, group = 1): string[] {
  const parts = partsOf(text, longest);
  const lines = wrap(parts, longest);
  if (lines.length <= 1) return lines;
  const most = Math.ceil(lines.length / group) * group;
  for (let width = Math.ceil(text.length / most); width < longest; width += 1) {
    const even = wrap(parts, width);
    if (even.length <= most) return even;
  }
  return lines;
}

/** What stays together, with whether a blank is before it. */
interface Part {
  readonly text: string;
  readonly isApart: boolean;
}

function partsOf(text: string, longest: number): Part[] {
  const written = text.split(/\s+/).filter(Boolean);
  return written.flatMap((word) =>
    cut(word, longest).map((piece, index): Part => ({ text: piece, isApart: index === 0 })),
  );
}

/** Signs stay with the word before them. */
function cut(word: string, longest: number): string[] {
  if (word.length <= longest) return [word];
  const pieces: string[] = [];
  for (const { segment, isWordLike } of words.segment(word)) {
    const last = pieces.at(-1);
    const joins = last !== undefined && isWordLike !== true && last.length + segment.length <= longest;
    if (joins) pieces[pieces.length - 1] = last + segment;
    else if (segment.length <= longest) pieces.push(segment);
    else pieces.push(...wrap(charactersOf(segment, longest), longest));
  }
  return pieces;
}

/** A character that is itself longer than a line, by its marks, is cut in the middle. */
function charactersOf(text: string, longest: number): Part[] {
  const characters = [...graphemes.segment(text)].flatMap(({ segment }) =>
    segment.length <= longest ? [segment] : [...segment],
  );
  return characters.map((character) => ({ text: character, isApart: false }));
}

function wrap(parts: readonly Part[], width: number): string[] {
  const lines: string[] = [];
  for (const { text, isApart } of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? undefined : `${last}${isApart ? ' ' : ''}${text}`;
    if (longer !== undefined && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}
