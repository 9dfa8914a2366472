import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals what must not be readable in the database, with keys that are derived from the installation's secret key:
 * one for each purpose, so that what was sealed for one can never be opened as another.
 */
export class SecretBox {
  private readonly keys = new Map<string, Buffer>();

  /** @param secretKey 32 bytes */
  constructor(private readonly secretKey: Buffer) {
    if (secretKey.length !== 32) throw new Error('The secret key must have 32 bytes.');
  }

  /**
   * Encrypts with AES-256-GCM.
   * @param context what the plaintext belongs to, such as a row's id; it opens only with the same one
   * @returns nonce (12 bytes), ciphertext, tag (16 bytes)
   */
  seal(purpose: string, plaintext: Buffer, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keyFor('seal', purpose), nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts what `seal` made.
   * @throws Error when it was sealed with another key, purpose or context, or has been changed
   */
  open(purpose: string, sealed: Buffer, context = ''): Buffer {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('The sealed value is too short.');
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.keyFor('seal', purpose), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }

  /** HMAC-SHA256 over the parts, each with its length, so that moving a character between parts changes it. */
  mac(purpose: string, ...parts: string[]): Buffer {
    const hmac = createHmac('sha256', this.keyFor('mac', purpose));
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  private keyFor(use: 'seal' | 'mac', purpose: string): Buffer {
    const info = `${use}:${purpose}`;
    const known = this.keys.get(info);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.secretKey, '', info, 32));
    this.keys.set(info, key);
    return key;
  }
}
