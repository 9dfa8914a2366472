import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { seal, unseal } from './sealing.js';

/**
 * Seals what must not be readable in the database, with keys that are derived from the installation's secret key:
 * one for each purpose, so that what was sealed for one can never be opened as another.
 */
export class SecretBox {
  private readonly keys = new Map<string, KeyObject>();

  /** @param secretKey 32 bytes */
  constructor(private readonly secretKey: Buffer) {
    if (secretKey.length !== 32) throw new Error('The secret key must have 32 bytes.');
  }

  /**
   * Encrypts.
   * @param context what the plaintext belongs to, such as a row's id; it opens only with the same one
   */
  seal(purpose: string, plaintext: Buffer, context = ''): Buffer {
    return seal(this.keyFor('seal', purpose), plaintext, Buffer.from(context));
  }

  /**
   * Decrypts what `seal` made.
   * @throws Error when it was sealed with another key, purpose or context, or has been changed
   */
  unseal(purpose: string, sealed: Buffer, context = ''): Buffer {
    const plaintext = unseal(this.keyFor('seal', purpose), sealed, Buffer.from(context));
    if (!plaintext) throw new Error('The sealed value does not open: the key is another, or it has been changed.');
    return plaintext;
  }

  /** HMAC-SHA256 over the parts, each with its length, so that moving a character between parts changes it. */
  mac(purpose: string, ...parts: string[]): Buffer {
    const hmac = createHmac('sha256', this.keyFor('mac', purpose));
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  private keyFor(use: 'seal' | 'mac', purpose: string): KeyObject {
    const info = `${use}:${purpose}`;
    const known = this.keys.get(info);
    if (known) return known;
    // A key of bytes would be made into an object again with every use, which costs more than the use itself.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.secretKey, '', info, 32)));
    this.keys.set(info, key);
    return key;
  }
}
