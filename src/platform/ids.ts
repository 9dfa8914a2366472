import { randomFillSync } from 'node:crypto';

/** The kinds of things that have an id (docs/api.md, Ids). */
export type IdPrefix =
  | 'usr'
  | 'ten'
  | 'tok'
  | 'kb'
  | 'file'
  | 'chk'
  | 'kix'
  | 'rec'
  | 'job'
  | 'rs'
  | 'cred'
  | 'src'
  | 'das'
  | 'doc'
  | 'ri'
  | 'dir'
  | 'syn'
  | 'pol'
  | 'aud'
  | 'cs'
  | 'msg'
  | 'key'
  | 'call'
  | 'bck'
  | 'blob';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 26 characters hold 130 bits: the first one has three bits only. */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
/** Drawn in advance: a call for each id would cost more than the rest of it. */
const random = Buffer.alloc(4_096);
let used = random.length;
/** Of the last id: its millisecond, and its number within that. */
let [millisecond, counter] = [0, 0];

/**
 * A new id: `<prefix>_<26 characters of a UUIDv7>`, so ids sort by age (the TypeID specification, version 0.3), those of one
 * process also within a millisecond and where its clock is set back.
 * Ours, because every model call needs one, and the library takes ten times as long.
 */
export function newId(prefix: IdPrefix): string {
  if (used + 10 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const now = Date.now();
  counter += 1;
  if (now > millisecond || counter > 0xfff) {
    millisecond = Math.max(now, millisecond + 1);
    counter = random.readUInt16BE(used) & 0x07ff;
  }
  // UUIDv7 (RFC 9562): 48 bits of milliseconds, the version, a counter of 12 bits that begins anywhere, the variant, 62
  // random bits.
  const high = 0x7000 | counter;
  const middle = (0x80000000 | (random.readUInt32BE(used + 2) & 0x3fffffff)) >>> 0;
  const low = random.readUInt32BE(used + 6);
  used += 10;
  const [upper, lower] = [Math.floor(millisecond / 0x1_0000), millisecond & 0xffff];
  const words = [upper, (lower * 0x1_0000 + high) >>> 0, middle, low] as const;
  return `${prefix}_${base32(words)}`;
}

/** Crockford's base 32 of 128 bits in four 32-bit words, most significant first. */
function base32(words: readonly [number, number, number, number]): string {
  let text = '';
  // Two zero bits in front fill 26 groups of five.
  let bits = 2;
  let value = 0;
  for (const word of words) {
    for (let shift = 16; shift >= 0; shift -= 16) {
      value = (value << 16) | ((word >>> shift) & 0xffff);
      bits += 16;
      for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31];
      value &= (1 << bits) - 1;
    }
  }
  return text;
}

/** Whether `text` has the form of an id of this kind; anything else cannot exist and is answered 404. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** The UUID of an id that has the right form. */
export function toUuid(id: string): string {
  let bits = 0n;
  for (const character of id.slice(id.indexOf('_') + 1)) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character));
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The id of a UUID. */
export function fromUuid(prefix: IdPrefix, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  const word = (index: number): number => Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16);
  return `${prefix}_${base32([word(0), word(1), word(2), word(3)])}`;
}
