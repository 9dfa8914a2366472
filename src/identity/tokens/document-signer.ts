import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { CompactSign } from 'jose';
import type { SigningKeysService } from './signing-keys.service.js';

/** A signed document, and the key that anybody verifies it with. */
export interface SignedDocument {
  /** A JWS (RFC 7515) in its compact form. */
  readonly token: string;
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
}

/** Signs documents of this installation with the key that signs its tokens; none of them is a token. */
export class DocumentSigner {
  constructor(private readonly keys: Pick<SigningKeysService, 'current'>) {}

  /** @param type what it is, such as `audit-checkpoint+jwt`; never `JWT` */
  async sign(type: string, content: object): Promise<SignedDocument> {
    const { kid, privateKey } = this.keys.current();
    const token = await new CompactSign(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ES256', kid, typ: type })
      .sign(privateKey);
    return { token, kid, publicJwk: createPublicKey(privateKey).export({ format: 'jwk' }) };
  }
}
