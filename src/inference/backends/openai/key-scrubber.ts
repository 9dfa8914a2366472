import type { ByteSource } from '../../../platform/net/egress.js';

const MASK = 0x2a; // "*"
const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;
/** What JSON may write with a backslash before it. */
const ESCAPABLE = new Set([...'"\\/'].map((character) => character.charCodeAt(0)));
/** Of `\\u00xx`. */
const ESCAPE_BYTES = 6;

/**
 * Takes keys out of what an upstream answers: they are never echoed, wherever the upstream repeats them, and in whichever
 * way JSON may write their characters.
 */
export class KeyScrubber {
  private readonly keys: readonly Buffer[];

  /** @param keys each at least one character, without line ends */
  constructor(...keys: readonly string[]) {
    // The longest first: of one that begins as another does, nothing must be left.
    this.keys = keys.toSorted((a, b) => b.length - a.length).map((key) => Buffer.from(key, 'latin1'));
  }

  /** The same for one more key, such as that of a caller; undefined: none. */
  with(key: string | undefined): KeyScrubber {
    if (key === undefined) return this;
    return new KeyScrubber(...this.keys.map((own) => own.toString('latin1')), key);
  }

  /** The bytes with the keys masked; the same length, so that nothing around them moves. */
  scrub(bytes: Buffer): Buffer {
    return this.keys.reduce(masked, bytes);
  }

  /** The same for bytes that arrive one after another; a key that is cut in two is masked too. */
  source(inner: ByteSource): ByteSource {
    if (this.keys.length === 0) return inner;
    let held: Buffer = Buffer.alloc(0);
    const next = async (): Promise<Buffer | undefined> => {
      for (;;) {
        const bytes = await inner.next();
        const all = this.scrub(held.length === 0 && bytes ? bytes : Buffer.concat([held, bytes ?? Buffer.alloc(0)]));
        // What may be the beginning of a key waits for what follows it.
        const ready = bytes ? Math.min(all.length, ...this.keys.map((key) => beginningAtEnd(all, key))) : all.length;
        held = all.subarray(ready);
        if (ready > 0) return all.subarray(0, ready);
        if (!bytes) return undefined;
      }
    };
    return { next, cancel: (ending) => inner.cancel(ending), release: () => inner.release() };
  }
}

function masked(bytes: Buffer, key: Buffer): Buffer {
  let scrubbed: Buffer | undefined;
  const next = mayBeEscaped(bytes, key) ? nextBeginning : nextWhole;
  for (let at = next(bytes, key, 0); at >= 0; at = next(bytes, key, at)) {
    const length = lengthAt(bytes, at, key);
    if (length) {
      scrubbed ??= Buffer.from(bytes);
      scrubbed.fill(MASK, at, at + length);
    }
    at += length || 1;
  }
  return scrubbed ?? bytes;
}

/** Whether the key may stand somewhere in another way than as it is. */
function mayBeEscaped(bytes: Buffer, key: Buffer): boolean {
  return bytes.includes('\\u') || [...ESCAPABLE].some((code) => key.includes(code) && bytes.includes(BACKSLASH));
}

/** A native search, which is many times as fast as to look at each byte. */
function nextWhole(bytes: Buffer, key: Buffer, from: number): number {
  return bytes.indexOf(key, from);
}

/** Where the key may begin; negative: nowhere. */
function nextBeginning(bytes: Buffer, key: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === key[0] || bytes[at] === BACKSLASH) return at;
  return -1;
}

/** Where at the end something begins that may be the key; the length of the bytes where nothing does. */
function beginningAtEnd(bytes: Buffer, key: Buffer): number {
  // No key has a line end, and most blocks have one at their end.
  if (bytes[bytes.length - 1] === LINE_FEED) return bytes.length;
  let at = Math.max(0, bytes.length - key.length * ESCAPE_BYTES);
  while (at < bytes.length && lengthAt(bytes, at, key) !== undefined) at += 1;
  return at;
}

/** How many bytes the key takes at a place: 0 where it is not there, undefined where the bytes end within it. */
function lengthAt(bytes: Buffer, start: number, key: Buffer): number | undefined {
  let at = start;
  for (const code of key) {
    const length = lengthOfCharacter(bytes, at, code);
    if (!length) return length;
    at += length;
  }
  return at - start;
}

/** How many bytes a character takes at a place, as itself or escaped: 0 where it is another, undefined where the bytes end. */
function lengthOfCharacter(bytes: Buffer, at: number, code: number): number | undefined {
  if (at >= bytes.length) return undefined;
  if (bytes[at] === BACKSLASH) {
    if (at + 1 === bytes.length) return undefined;
    if (ESCAPABLE.has(code) && bytes[at + 1] === code) return 2;
    const found = bytes.toString('latin1', at, at + ESCAPE_BYTES).toLowerCase();
    const escape = `\\u${code.toString(16).padStart(4, '0')}`;
    if (escape.startsWith(found)) return found.length === ESCAPE_BYTES ? ESCAPE_BYTES : undefined;
  }
  return bytes[at] === code ? 1 : 0;
}
