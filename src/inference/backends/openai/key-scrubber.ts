import type { ByteSource } from '../../../platform/net/egress.js';

const MASK = 0x2a; // "*"
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
/** Of `\\u00xx`. */
const ESCAPE_BYTES = 6;

/**
 * Takes a caller's key out of what an upstream answers: it is never echoed, wherever the upstream repeats it, and in
 * whichever way JSON may write its characters.
 */
export class KeyScrubber {
  private readonly key: Buffer;

  /** @param key at least one character, ASCII, neither quotes nor backslashes */
  constructor(key: string) {
    this.key = Buffer.from(key, 'latin1');
  }

  /** The bytes with the key masked; the same length, so that nothing around it moves. */
  scrub(bytes: Buffer): Buffer {
    let scrubbed: Buffer | undefined;
    const [first] = this.key;
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] !== first && bytes[at] !== BACKSLASH) continue;
      const length = this.lengthAt(bytes, at);
      if (!length) continue;
      scrubbed ??= Buffer.from(bytes);
      scrubbed.fill(MASK, at, at + length);
      at += length - 1;
    }
    return scrubbed ?? bytes;
  }

  /** The same for bytes that arrive one after another; a key that is cut in two is masked too. */
  source(inner: ByteSource): ByteSource {
    let held: Buffer = Buffer.alloc(0);
    const next = async (): Promise<Buffer | undefined> => {
      for (;;) {
        const bytes = await inner.next();
        const all = this.scrub(Buffer.concat([held, bytes ?? Buffer.alloc(0)]));
        // What may be the beginning of the key waits for what follows it.
        const ready = bytes ? this.beginningAtEnd(all) : all.length;
        held = all.subarray(ready);
        if (ready > 0) return all.subarray(0, ready);
        if (!bytes) return undefined;
      }
    };
    return { next, cancel: (ending) => inner.cancel(ending), release: () => inner.release() };
  }

  /** Where at the end something begins that may be the key; the length of the bytes where nothing does. */
  private beginningAtEnd(bytes: Buffer): number {
    let at = Math.max(0, bytes.length - this.key.length * ESCAPE_BYTES);
    while (at < bytes.length && this.lengthAt(bytes, at) !== undefined) at += 1;
    return at;
  }

  /** How many bytes the key takes at a place: 0 where it is not there, undefined where the bytes end within it. */
  private lengthAt(bytes: Buffer, start: number): number | undefined {
    let at = start;
    for (const code of this.key) {
      const length = lengthOfCharacter(bytes, at, code);
      if (!length) return length;
      at += length;
    }
    return at - start;
  }
}

/** How many bytes a character takes at a place, as itself or escaped: 0 where it is another, undefined where the bytes end. */
function lengthOfCharacter(bytes: Buffer, at: number, code: number): number | undefined {
  if (bytes[at] === code) return 1;
  if (at >= bytes.length) return undefined;
  if (bytes[at] !== BACKSLASH) return 0;
  if (code === SLASH && bytes[at + 1] === SLASH) return 2;
  const found = bytes.toString('latin1', at, at + ESCAPE_BYTES).toLowerCase();
  const escape = `\\u${code.toString(16).padStart(4, '0')}`;
  if (!escape.startsWith(found)) return 0;
  return found.length === ESCAPE_BYTES ? ESCAPE_BYTES : undefined;
}
