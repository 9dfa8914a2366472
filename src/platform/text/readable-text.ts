/** Controls of C0 and C1 that are no blanks, and what changes the direction of the text behind it. */
const UNREADABLE = /(?![\t\n\v\f\r\u0085])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** A text that can be stored and shown anywhere: without halves of surrogate pairs, controls and overrides of direction. */
export function readableText(text: string): string {
  return text.toWellFormed().replaceAll(UNREADABLE, '');
}

/** The beginning of a text, in code points: no pair of surrogates is cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.slice(0, most).join('');
}
