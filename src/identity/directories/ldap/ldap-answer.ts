import { expectElement, nonsense, readElements, readNumber } from './ber.js';
import type { BerElement } from './ber.js';

const INTEGER = 0x02;
const OCTETS = 0x04;
const ENUMERATED = 0x0a;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTROLS = 0xa0;
const BIND_RESPONSE = 0x61;
const SEARCH_ENTRY = 0x64;
const SEARCH_DONE = 0x65;
const SEARCH_REFERENCE = 0x73;
const EXTENDED_RESPONSE = 0x78;
/** RFC 2696. */
const PAGED_RESULTS = '1.2.840.113556.1.4.319';

const MAX_ATTRIBUTES = 1_000;
/** Names are compared, searched for and remembered. */
const MAX_DN_BYTES = 8 * 1024;

/** An entry of a directory. */
export interface LdapEntry {
  readonly dn: string;
  /** The values by the names of attributes in lower case, with their options. */
  readonly attributes: ReadonlyMap<string, readonly Buffer[]>;
}

/** An answer of a directory to the request with the same id (RFC 4511, section 4). */
export type LdapAnswer = { readonly id: number } & (
  | { readonly kind: 'bind' | 'extended'; readonly code: number }
  | {
      readonly kind: 'done';
      readonly code: number /** Of the next page; undefined: there is none. */;
      readonly cookie?: Buffer;
    }
  | { readonly kind: 'entry'; readonly entry: LdapEntry }
  /** To another directory, which nobody asks. */
  | { readonly kind: 'reference' }
);

/**
 * Reads the content of an LDAP message. Ours, because the reader of ldapts never comes to an end with some messages.
 * @param maxValues of an entry: each takes more memory here than in its message
 * @throws DirectoryFailure `protocol`
 */
export function readAnswer(message: Buffer, maxValues: number): LdapAnswer {
  const [idElement, operation, controls] = readElements(message);
  const id = readNumber(idElement, INTEGER);
  switch (operation?.tag) {
    case BIND_RESPONSE:
      return { id, kind: 'bind', code: codeOf(operation) };
    case EXTENDED_RESPONSE:
      return { id, kind: 'extended', code: codeOf(operation) };
    case SEARCH_DONE:
      return { id, kind: 'done', code: codeOf(operation), cookie: cookieOf(controls) };
    case SEARCH_ENTRY:
      return { id, kind: 'entry', entry: readEntry(operation.content, maxValues) };
    case SEARCH_REFERENCE:
      return { id, kind: 'reference' };
    default:
      throw nonsense();
  }
}

function codeOf({ content }: BerElement): number {
  const [code] = readElements(content);
  return readNumber(code, ENUMERATED);
}

function readEntry(content: Buffer, maxValues: number): LdapEntry {
  const [dn, list] = readElements(content);
  let valuesLeft = maxValues;
  const attributes = new Map<string, readonly Buffer[]>();
  for (const attribute of readElements(expectElement(list, SEQUENCE), MAX_ATTRIBUTES)) {
    const [type, set] = readElements(expectElement(attribute, SEQUENCE));
    const name = expectElement(type, OCTETS).toString('utf8').toLowerCase();
    const values = readElements(expectElement(set, SET), valuesLeft);
    valuesLeft -= values.length;
    attributes.set(
      name,
      values.map((value) => expectElement(value, OCTETS)),
    );
  }
  const name = expectElement(dn, OCTETS);
  if (name.length > MAX_DN_BYTES) throw nonsense();
  return { dn: name.toString('utf8'), attributes };
}

function cookieOf(controls: BerElement | undefined): Buffer | undefined {
  if (controls?.tag !== CONTROLS) return undefined;
  for (const control of readElements(controls.content)) {
    const parts = readElements(expectElement(control, SEQUENCE));
    if (expectElement(parts[0], OCTETS).toString('latin1') !== PAGED_RESULTS) continue;
    const [value] = readElements(expectElement(parts.at(-1), OCTETS));
    const [, cookie] = readElements(expectElement(value, SEQUENCE));
    const bytes = expectElement(cookie, OCTETS);
    // The message is freed when the page has been read.
    return bytes.length === 0 ? undefined : Buffer.from(bytes);
  }
  return undefined;
}
