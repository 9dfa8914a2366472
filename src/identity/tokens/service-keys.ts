import { hash, timingSafeEqual } from 'node:crypto';
import type { IdentityConfig } from '../config.js';

/** `key_<id>.<secret>`; a secret has at least 32 characters. */
const FORM = /^Bearer +(key_[\w-]{1,64})\.(\S{32,512}) *$/i;

/** The keys of the services that may call on nobody's behalf. */
export class ServiceKeys {
  constructor(private readonly keys: IdentityConfig['serviceKeys']) {}

  /** The id of the key that an `Authorization` header presents; undefined for everything else. */
  identify(authorization: string): string | undefined {
    const [, id, secret] = FORM.exec(authorization) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const presented = hash('sha256', secret, 'buffer');
    // All are compared, so that the time does not tell which keys there are.
    const matching = this.keys.filter((key) => timingSafeEqual(key.secretHash, presented));
    return matching.find((key) => key.id === id)?.id;
  }
}
