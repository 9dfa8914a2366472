import { createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** Keys that are derived from one secret: one for each use, none of which tells of another or of the secret. */
export class DerivedKeys {
  private readonly keys = new Map<string, KeyObject>();

  /** @param secret 32 bytes */
  constructor(private readonly secret: Buffer) {
    if (secret.length !== KEY_BYTES) throw new Error(`The secret key must have ${KEY_BYTES} bytes.`);
  }

  /** The key of 32 bytes for a use. */
  for(use: string): KeyObject {
    const known = this.keys.get(use);
    if (known) return known;
    // A key of bytes would be made into an object again with every use, which costs more than the use itself.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.secret, '', use, KEY_BYTES)));
    this.keys.set(use, key);
    return key;
  }
}
