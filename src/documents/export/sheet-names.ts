/** The longest name, in UTF-16 units. */
const MAX_LENGTH = 31;

/** Of a change log that Excel keeps by itself. */
const RESERVED = 'history';

/**
 * Names for the sheets of a workbook, one for each title and none twice, whatever its case: what Excel does not take in a
 * name is `_`, and a long one is cut.
 */
export function sheetNames(titles: readonly string[]): string[] {
  const taken = new Set([RESERVED]);
  return titles.map((title) => {
    const readable = title.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_').trim() || '_';
    let name = cut(readable, MAX_LENGTH);
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
      const suffix = ` (${number})`;
      name = cut(readable, MAX_LENGTH - suffix.length) + suffix;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}

/** A character of two units is not halved. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
