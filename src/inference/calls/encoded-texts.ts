/** Characters of base64 up to which it may be a word or a number, and is read as a text. */
export const LONGEST_READ = 256;
const DATA_URL = /^data:[^,]{0,200};base64,/i;
/** What may go on as a data URL whose base64 has not begun. */
const BEGUN_DATA_URL = /^data:[^,]{0,207}(?:;base64,)?$/i;
/** Where base64 ends, also that for URLs: searched for so, megabytes take one pass. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;
/** What base64 of any length has, and words and numbers have not together. */
const BASE64_HAS = [/[A-Z]/, /[a-z]/, /\d/];

/**
 * What stands before the base64 of a text that is a data URL and nothing else, which may say anything; undefined where a
 * text is none, or goes on with prose.
 */
export function headOfDataUrl(text: string): string | undefined {
  const head = DATA_URL.exec(text.slice(0, 256))?.[0];
  return head !== undefined && isBase64(text, head.length) ? head : undefined;
}

/** Whether a text is base64 from a place on. */
export function isBase64(text: string, start = 0): boolean {
  const payload = start === 0 ? text : text.slice(start);
  const end = payload.search(NOT_BASE64);
  return payload !== '' && (end < 0 || /^={1,2}$/.test(payload.slice(end, end + 3)));
}

/** Whether a text is long, and base64 alone, so that no rule can read what it says. */
export function isLongBase64(text: string): boolean {
  return text.length > LONGEST_READ && isBase64(text) && BASE64_HAS.every((needed) => needed.test(text));
}

/** Whether a text is a sound, an image or a file and nothing else, as far as the text itself can tell. */
export function isEncodedText(text: string): boolean {
  return isLongBase64(text) || headOfDataUrl(text) !== undefined;
}

/** Whether a text that is none so far may go on as one that `isEncodedText` tells of. */
export function mayBecomeEncoded(begun: string): boolean {
  return isBase64(begun) || BEGUN_DATA_URL.test(begun);
}

/** One character of each kind that long base64 has, of those that are in a text. */
export function kindsOfBase64(text: string): string {
  return BASE64_HAS.map((needed) => needed.exec(text)?.[0] ?? '').join('');
}

/**
 * What is read as a text of one that is base64 alone, or a data URL: all of it where its base64 has at most 256
 * characters, since that may be a word or a number; else what stands before the base64.
 */
export function readablePart(encoded: string): string {
  const head = headOfDataUrl(encoded) ?? '';
  return encoded.length - head.length > LONGEST_READ ? head : encoded;
}
