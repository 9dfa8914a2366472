/** A passage of a file, in the order of the file. */
export interface FilePassage {
  readonly text: string;
  /** Null where the format has no pages. */
  readonly page: number | null;
  /** Its place in the text of its page, or of the file where that has none. */
  readonly start: number;
  readonly end: number;
}

/**
 * What passages say together: where one repeats the end of the one before, that is said once; others stand between blank
 * lines.
 * @param most UTF-16 units of it
 */
export function joinPassages(passages: readonly FilePassage[], most: number): string {
  let text = '';
  let last: FilePassage | undefined;
  for (const passage of passages) {
    if (text.length >= most) break;
    const overlap = last && last.page === passage.page ? last.end - passage.start : -1;
    // What was changed when it was cut has no such places.
    const isWhole = passage.text.length === passage.end - passage.start;
    const goesOn = overlap >= 0 && isWhole && text.endsWith(passage.text.slice(0, overlap));
    if (goesOn) text += passage.text.slice(overlap);
    else text += `${text === '' ? '' : '\n\n'}${passage.text}`;
    last = passage;
  }
  return text.slice(0, most).toWellFormed();
}
