/** The longest phrase that is looked for, in words. */
const LONGEST_PHRASE = 24;
/** People repeat a word or two: only more is an engine that has lost its way. By the words of the phrase. */
const LEAST_REPEATS: Readonly<Record<number, number>> = { 1: 8, 2: 6, 3: 5 };
const LEAST_REPEATS_OF_LONGER = 4;
/** A text without blanks is looked at by its characters. */
const WORDLESS_CHARACTERS = 40;

/**
 * Whether a text says the same again and again, as engines do that have lost their way. Linear in its length.
 * @param text what an engine said to one chunk
 */
export function isLooping(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}']/gu, ''))
    .filter((word) => word !== '');
  const isWordless = words.some(({ length }) => length > WORDLESS_CHARACTERS);
  const tokens = isWordless ? [...words.join('')] : words;
  for (let length = 1; length <= LONGEST_PHRASE; length += 1) {
    const repeats = LEAST_REPEATS[length] ?? LEAST_REPEATS_OF_LONGER;
    if (longestRun(tokens, length) >= (repeats - 1) * length) return true;
  }
  return false;
}

/** How many tokens one after another are what stood so many places before. */
function longestRun(tokens: readonly string[], distance: number): number {
  let [run, longest] = [0, 0];
  for (let index = distance; index < tokens.length; index += 1) {
    run = tokens[index] === tokens[index - distance] ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
