import { DirectoryFailure } from './directory-failure.js';

/** A value in BER (X.690) with the bytes of its content, which lie in those that were read. */
export interface BerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** The bytes of a length at most, as in lengths below 2^32. */
const MAX_LENGTH_BYTES = 4;

/** The head of a value: its tag, and where its content begins and ends. */
export interface BerHead {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the head of a value of definite length (RFC 4511, section 5.1).
 * @returns undefined where more bytes are needed
 * @throws DirectoryFailure `protocol`
 */
export function readHead(bytes: Buffer, offset: number): BerHead | undefined {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || first === undefined) return undefined;
  if ((tag & 0x1f) === 0x1f) throw nonsense();
  if (first < 0x80) return { tag, start: offset + 2, end: offset + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > MAX_LENGTH_BYTES) throw nonsense();
  const start = offset + 2 + count;
  if (start > bytes.length) return undefined;
  return { tag, start, end: start + bytes.readUIntBE(offset + 2, count) };
}

/**
 * Reads the values that lie one after another and fill the bytes.
 * @param maxValues how many there may be
 * @throws DirectoryFailure `protocol` where one reaches beyond the end
 */
export function readElements(bytes: Buffer, maxValues = 100): BerElement[] {
  const elements: BerElement[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const head = readHead(bytes, offset);
    if (!head || head.end > bytes.length || elements.length === maxValues) throw nonsense();
    elements.push({ tag: head.tag, content: bytes.subarray(head.start, head.end) });
    offset = head.end;
  }
  return elements;
}

/** A whole number that is not negative. @throws DirectoryFailure `protocol` for any other */
export function readNumber(element: BerElement | undefined, tag: number): number {
  const content = expectElement(element, tag);
  if (content.length === 0 || content.length > MAX_LENGTH_BYTES || (content[0] as number) >= 0x80) throw nonsense();
  return content.readUIntBE(0, content.length);
}

/** The content of a value that must be there. @throws DirectoryFailure `protocol` */
export function expectElement(element: BerElement | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw nonsense();
  return element.content;
}

/** The failure of a directory whose answer cannot be read. */
export function nonsense(): DirectoryFailure {
  return new DirectoryFailure('protocol', 'What answers there does not speak LDAP.');
}
