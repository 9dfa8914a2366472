/**
 * Counts the characters of a text that are in runs of some kind.
 * @param runs finds such runs, as `/\p{L}+/gu` does; it is global
 * @returns UTF-16 units
 */
export function countCharacters(text: string, runs: RegExp): number {
  let count = 0;
  for (const run of text.match(runs) ?? []) count += run.length;
  return count;
}
