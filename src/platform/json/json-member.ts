const SPACE = 0x20;
const COLON = 0x3a;
/** The first letter of `null`. */
const LETTER_N = 0x6e;

/** The name of a member to look for. */
export interface MemberName {
  /** With its quotes. */
  readonly quoted: Buffer;
  /**
   * The part of it that is searched for: at most six bytes, since those are found by their first byte, which should be
   * rare. That is ten times as fast as a search for the whole name.
   */
  readonly needle: Buffer;
}

/** @param skip how many bytes of the quoted name the needle leaves out */
export function memberName(name: string, skip: number): MemberName {
  const quoted = Buffer.from(`"${name}"`);
  return { quoted, needle: quoted.subarray(skip) };
}

/**
 * Where a block has a member with a value that is not null, from `start` on; infinity: nowhere.
 * Quotes inside texts are escaped, so a bare `"name"` is never part of what a model wrote.
 */
export function findMember(bytes: Buffer, { quoted, needle }: MemberName, start: number): number {
  const skipped = quoted.length - needle.length;
  for (let at = bytes.indexOf(needle, start); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
    const begin = at - skipped;
    if (begin < 0 || quoted.compare(bytes, begin, at, 0, skipped) !== 0) continue;
    let value = skipSpaces(bytes, at + needle.length);
    if (bytes[value] !== COLON) continue;
    value = skipSpaces(bytes, value + 1);
    if (bytes[value] !== LETTER_N) return begin;
  }
  return Number.POSITIVE_INFINITY;
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === SPACE) at += 1;
  return at;
}
