import type { ByteSource } from '../../platform/egress.js';

const MASK = '*';

/** Takes a caller's key out of what an upstream answers: it is never echoed, wherever the upstream repeats it. */
export class KeyScrubber {
  private readonly needle: Buffer;
  private readonly mask: Buffer;

  /** @param key at least one character, ASCII, none that JSON escapes */
  constructor(key: string) {
    this.needle = Buffer.from(key, 'latin1');
    this.mask = Buffer.from(MASK.repeat(key.length), 'latin1');
  }

  /** The bytes with the key masked; the same length, so that nothing around it moves. */
  scrub(bytes: Buffer): Buffer {
    let scrubbed: Buffer | undefined;
    for (let at = bytes.indexOf(this.needle); at >= 0; at = bytes.indexOf(this.needle, at + this.needle.length)) {
      scrubbed ??= Buffer.from(bytes);
      this.mask.copy(scrubbed, at);
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
        const ready = bytes ? all.length - this.beginningAtEnd(all) : all.length;
        held = all.subarray(ready);
        if (ready > 0) return all.subarray(0, ready);
        if (!bytes) return undefined;
      }
    };
    return { next, cancel: () => inner.cancel(), release: () => inner.release() };
  }

  /** How many bytes at the end may be the beginning of the key. */
  private beginningAtEnd(bytes: Buffer): number {
    for (let length = Math.min(this.needle.length - 1, bytes.length); length > 0; length -= 1) {
      if (bytes.subarray(bytes.length - length).equals(this.needle.subarray(0, length))) return length;
    }
    return 0;
  }
}
