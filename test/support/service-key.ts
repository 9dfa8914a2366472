import { createHash, randomBytes } from 'node:crypto';

/** A service key as a client presents it, and the start-up variable that lets it in. */
export interface ServiceKey {
  readonly key: string;
  readonly env: { readonly SERVICE_KEYS: string };
}

/** Makes a service key. */
export function newServiceKey(): ServiceKey {
  const secret = randomBytes(24).toString('base64url');
  const hash = createHash('sha256').update(secret).digest('hex');
  return { key: `key_test.${secret}`, env: { SERVICE_KEYS: `key_test:${hash}` } };
}
