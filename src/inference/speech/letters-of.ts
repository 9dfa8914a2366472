/** What is compared of texts of an answer: engines leave signs out of their lists, and write them in small letters. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
