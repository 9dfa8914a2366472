import { createHmac, randomUUID } from 'node:crypto';
import { PROXY_SECRET } from './sso-issuer.js';

/** What a trusted proxy signs. */
export interface ProxyClaims {
  readonly oid: string;
  readonly tid: string;
  readonly upn: string;
}

/** What the signature of a test may have otherwise. */
interface ProxyOptions {
  readonly secret?: string;
  /** Unix seconds. */
  readonly time?: number;
  readonly nonce?: string;
  /** The lines that are signed, in another order or number. */
  readonly lines?: (time: number, nonce: string) => readonly string[];
}

/** The header of a trusted proxy. */
export function signProxy({ oid, tid, upn }: ProxyClaims, options: ProxyOptions = {}): { 'x-sso-signature': string } {
  const { secret = PROXY_SECRET, time = Math.floor(Date.now() / 1_000), nonce = randomUUID() } = options;
  const lines = options.lines?.(time, nonce) ?? ['v1', String(time), nonce, oid, tid, upn];
  return { 'x-sso-signature': `t=${time},n=${nonce},v1=${hmacOf(secret, lines.join('\n')).toString('hex')}` };
}

/** HMAC-SHA256. */
export function hmacOf(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}
