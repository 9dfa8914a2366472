/** Words of a text as they are compared: lower case, without punctuation. */
export function comparedWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\([^)]*\)|<\/?s>|\[[^\]]*\]/g, ' ')
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '');
}

/** How many words must be put in, taken out or changed to make one text of the other (Levenshtein). */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let before = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (const [row, word] of said.entries()) {
    const line = [row + 1];
    for (const [column, other] of heard.entries()) {
      const changed = (before[column] ?? 0) + Number(word !== other);
      line.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}
