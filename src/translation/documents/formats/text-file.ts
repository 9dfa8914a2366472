import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { charsetOf } from '../../../platform/extraction/formats/text-decoding.js';
import { LIMITS } from '../../../platform/extraction/limits.js';

/** So much of a text is looked at to tell its charset, in bytes. */
const SNIFFED_BYTES = 256 * 1024;

/** What a text is in that is no UTF-8 and says nothing. */
const FALLBACK = 'windows-1252';

const BYTE_ORDER_MARK = '\ufeff';

/** What becomes of characters that the file's charset does not have. */
export type MissingCharacters = 'reference' | 'utf-8';

/** A text, and how it is written as it was. */
export interface TextFile {
  /** Without a byte order mark. */
  readonly text: string;
  /** Its name at WHATWG. */
  readonly charset: string;
  /** A text as the bytes of a file of the same charset, with a byte order mark where the file had one. */
  encode(text: string): Buffer;
}

/**
 * Decodes a text: by its byte order mark; of HTML by what it declares; as UTF-8 where it is that; else as Western European.
 * @param missing what is written of other characters where the charset has few: `reference` is HTML's `&#x…;`; for
 * `utf-8` the whole file becomes UTF-8 with a byte order mark
 * @throws ExtractionFailed too_large; malformed where it is UTF-8 with damaged bytes; unsupported where
 * the charset is none that can be written
 */
export function decodeTextFile(file: Buffer, missing: MissingCharacters): TextFile {
  const isHtml = missing === 'reference';
  const told = charsetOf(file.subarray(0, SNIFFED_BYTES), isHtml);
  const isOther = told === FALLBACK || decodeAs(file, told) === undefined;
  // One damaged byte would make another text of all others.
  if (isOther && ((isHtml && told === 'utf-8') || isMostlyUtf8(file))) throw new ExtractionFailed('malformed');
  const charset = isOther ? FALLBACK : told;
  const decoded = decodeAs(file, charset) ?? '';
  if (decoded.length > LIMITS.characters) throw new ExtractionFailed('too_large');
  const mark = decoded.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const write = writerOf(charset, missing);
  return { text: decoded.slice(mark.length), charset, encode: (text) => write(mark + text) };
}

/** Whether more of its characters beyond ASCII are those of UTF-8 than are not: then it is damaged, and no other charset. */
function isMostlyUtf8(file: Buffer): boolean {
  let [known, broken] = [0, 0];
  for (const [character] of file.toString('utf8').matchAll(/[^\0-\x7f]/gu)) {
    if (character === '\ufffd') broken += 1;
    else known += 1;
  }
  return known > broken;
}

/** Undefined where these are no bytes of that charset. */
function decodeAs(file: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: charset === 'utf-8', ignoreBOM: true }).decode(file);
  } catch {
    return undefined;
  }
}

function writerOf(charset: string, missing: MissingCharacters): (text: string) => Buffer {
  if (charset === 'utf-8') return (text) => Buffer.from(text);
  if (charset === 'utf-16le') return (text) => Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16();
  const bytes = bytesOf(charset);
  return (text) => toBytes(text, bytes, missing) ?? Buffer.from(BYTE_ORDER_MARK + text);
}

/** The bytes of the characters of a charset that has a byte for each. @throws ExtractionFailed unsupported */
function bytesOf(charset: string): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  const decoder = new TextDecoder(charset);
  for (let byte = 0; byte < 256; byte += 1) {
    const character = decoder.decode(Uint8Array.of(byte));
    if (character.length !== 1) throw new ExtractionFailed('unsupported');
    if (byte < 0x80 && character !== String.fromCharCode(byte)) throw new ExtractionFailed('unsupported');
    if (character !== '\ufffd') bytes.set(character, byte);
  }
  // Those of several bytes have no character for many single ones.
  if (bytes.size < 200) throw new ExtractionFailed('unsupported');
  return bytes;
}

/** Undefined where a character has no byte. */
function toBytes(text: string, bytes: ReadonlyMap<string, number>, missing: MissingCharacters): Buffer | undefined {
  const written: number[] = [];
  for (const character of text) {
    const byte = bytes.get(character);
    if (byte !== undefined) written.push(byte);
    else if (missing === 'utf-8') return undefined;
    else written.push(...Buffer.from(`&#x${(character.codePointAt(0) ?? 0).toString(16)};`));
  }
  return Buffer.from(written);
}
