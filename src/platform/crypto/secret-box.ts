import { createHmac } from 'node:crypto';
import { DerivedKeys } from './derived-keys.js';
import { seal, unseal } from './sealing.js';

/** The keys of a secret box beside the secret key, each of 32 bytes. */
export interface OtherKeys {
  /** The key that was the secret key before, or will be next: it opens what it has sealed, and seals nothing. */
  readonly previous?: Buffer;
  /** What MACs are made with; the secret key unless it is given. */
  readonly mac?: Buffer;
}

/**
 * Seals what must not be readable in the database, with keys that are derived from the installation's secret key:
 * one for each purpose, so that what was sealed for one can never be opened as another.
 */
export class SecretBox {
  private readonly current: DerivedKeys;
  private readonly previous: DerivedKeys | undefined;
  private readonly macs: DerivedKeys;

  /** @param secretKey 32 bytes */
  constructor(secretKey: Buffer, { previous, mac }: OtherKeys = {}) {
    this.current = new DerivedKeys(secretKey);
    this.previous = previous && new DerivedKeys(previous);
    this.macs = mac ? new DerivedKeys(mac) : this.current;
  }

  /**
   * Encrypts with the current key.
   * @param purpose what it is sealed for; each that is stored is named in a `SealedColumn`
   * @param context what the plaintext belongs to, such as a row's id; it opens only with the same one
   */
  seal(purpose: string, plaintext: Buffer, context = ''): Buffer {
    return seal(this.current.for(sealUse(purpose)), plaintext, Buffer.from(context));
  }

  /**
   * Decrypts what `seal` made, with the current key or the previous one.
   * @throws Error when it was sealed with another key, purpose or context, or has been changed
   */
  unseal(purpose: string, sealed: Buffer, context = ''): Buffer {
    const plaintext = open(this.current, purpose, sealed, context) ?? open(this.previous, purpose, sealed, context);
    if (!plaintext) throw new Error('The sealed value does not open: the key is another, or it has been changed.');
    return plaintext;
  }

  /**
   * Seals with the current key what the previous one has sealed.
   * @returns undefined where the current key opens it already
   * @throws Error as `unseal` does
   */
  reseal(purpose: string, sealed: Buffer, context = ''): Buffer | undefined {
    if (open(this.current, purpose, sealed, context)) return undefined;
    return this.seal(purpose, this.unseal(purpose, sealed, context), context);
  }

  /**
   * HMAC-SHA256 over the parts, each with its length, so that moving a character between parts changes it. It stays the
   * same when the secret key changes, so it may be stored, to be found or compared later.
   */
  mac(purpose: string, ...parts: string[]): Buffer {
    const hmac = createHmac('sha256', this.macs.for(`mac:${purpose}`));
    // At once, since each update costs as much as a short text does.
    return hmac.update(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('')).digest();
  }
}

function open(keys: DerivedKeys | undefined, purpose: string, sealed: Buffer, context: string): Buffer | undefined {
  return keys && unseal(keys.for(sealUse(purpose)), sealed, Buffer.from(context));
}

function sealUse(purpose: string): string {
  return `seal:${purpose}`;
}
