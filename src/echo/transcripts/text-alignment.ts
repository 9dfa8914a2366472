/** How far behind a word the next one is looked for, in UTF-16 units: engines leave words out of their lists. */
const WINDOW = 200;
/** With fewer words than this share found, the text is another one. */
const LEAST_SHARE = 0.5;
const LETTER = /[\p{L}\p{N}]/u;
const LEADING_SIGNS = /^[^\p{L}\p{N}\s]{1,8}/u;
const ASCII_END = 0x80;

/**
 * The parts of an engine's text that belong to its words: each from the beginning of a word to that of the next, so that
 * punctuation, and what stands in no list of words, stays. Joined they are the whole text.
 * @returns as many as there are words; a word that is not found has an empty part
 */
export function alignText(text: string, words: readonly string[]): string[] {
  const places = findWords(text, words);
  if (places.filter((place) => place !== undefined).length < words.length * LEAST_SHARE) {
    return words.map((word) => `${word.trim()} `);
  }
  const parts: string[] = [];
  let end = text.length;
  for (let index = words.length - 1; index >= 0; index -= 1) {
    const place = places[index];
    parts.push(place === undefined ? '' : text.slice(place, end));
    end = place ?? end;
  }
  parts.reverse();
  const first = places.findIndex((place) => place !== undefined);
  if (first >= 0) parts[first] = text.slice(0, end) + parts[first];
  return parts;
}

function findWords(text: string, words: readonly string[]): (number | undefined)[] {
  const lower = text.toLowerCase();
  // Where lower case has another length, places are not those of the text.
  const searched = lower.length === text.length ? lower : text;
  let cursor = 0;
  return words.map((word) => {
    const sought = bare(searched === lower ? word.toLowerCase() : word);
    if (sought === '') return undefined;
    const within = searched.slice(cursor, cursor + WINDOW + sought.length);
    const place = placeOfWord(within, sought);
    if (place < 0) return undefined;
    const found = cursor + place;
    // Signs that the word itself begins with, such as a bracket, do not belong to the one before.
    const signs = LEADING_SIGNS.exec(word.trimStart())?.[0] ?? '';
    const start = Math.max(cursor, found - signs.length);
    cursor = found + sought.length;
    return text.slice(start, found) === signs ? start : found;
  });
}

/** A whole word before a part of one; languages without blanks have parts alone. */
function placeOfWord(text: string, word: string): number {
  for (let place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1)) {
    if (!isLetter(text[place - 1]) && !isLetter(text[place + word.length])) return place;
  }
  const near = text.indexOf(word);
  return near >= 0 && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word) ? near : -1;
}

function isLetter(unit: string | undefined): boolean {
  if (unit === undefined) return false;
  const code = unit.charCodeAt(0);
  if (code < ASCII_END) return isAsciiLetter(code);
  return LETTER.test(unit);
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Without blanks and punctuation around it. */
function bare(word: string): string {
  const signs = [...word];
  const start = signs.findIndex(isLetterSign);
  return start < 0 ? '' : signs.slice(start, signs.findLastIndex(isLetterSign) + 1).join('');
}

function isLetterSign(sign: string): boolean {
  return sign.length === 1 ? isLetter(sign) : LETTER.test(sign);
}
