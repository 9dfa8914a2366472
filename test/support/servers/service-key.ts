import { createHash, randomBytes } from 'node:crypto';

/** A service key as a client presents it, and the start-up variable that lets it in. */
export interface ServiceKey {
  readonly key: string;
  /** Its entry in SERVICE_KEYS, where there are several. */
  readonly entry: string;
  readonly env: { readonly SERVICE_KEYS: string };
}

/** Makes a service key. @param secret default: a random one */
export function newServiceKey(id = 'key_test', secret: string = randomBytes(24).toString('base64url')): ServiceKey {
  const entry = `${id}:${createHash('sha256').update(secret).digest('hex')}`;
  return { key: `${id}.${secret}`, entry, env: { SERVICE_KEYS: entry } };
}
