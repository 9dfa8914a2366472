/** Characters of base64 up to which it may be a word or a number, and is read as a text. */
export const LONGEST_READ = 256;
const DATA_URL = /^data:[^,]{0,200};base64,/i;
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
  return text.length > LONGEST_READ && BASE64_HAS.every((needed) => needed.test(text)) && isBase64(text);
}

/** Whether a text is a sound, an image or a file and nothing else, as far as the text itself can tell. */
export function isEncodedText(text: string): boolean {
  return isLongBase64(text) || headOfDataUrl(text) !== undefined;
}
