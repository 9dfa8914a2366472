import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SsoRefusal } from './sso-refusal.js';

/** Exactly these parts, in this order, each once. */
const SIGNATURE = /^t=(?<time>\d{1,12}),n=(?<nonce>[!-+\--~]{8,128}),v1=(?<mac>[0-9a-f]{64})$/;
const TOLERANCE_SECONDS = 60;

/** Whom a sign-in is for, as it was asked for. */
export interface ClaimedPerson {
  readonly oid: string;
  readonly tid: string;
  readonly upn: string;
}

/** A signature that holds: what it is remembered by when it has been used. */
export interface CheckedSignature {
  /** SHA-256 of the provider and the nonce. */
  readonly fingerprint: string;
  /** When it would be refused for its age, at the latest. */
  readonly uselessAfter: Date;
}

/**
 * Checks the signature of a trusted proxy, `t=<Unix seconds>,n=<nonce>,v1=<hex>`: HMAC-SHA256 over the lines `v1`, time,
 * nonce, `oid`, `tid` and `upn`, at most 60 s from now. The caller has made sure that no line has an end of line in it.
 * @throws SsoRefusal where it does not hold
 */
export function checkProxySignature(
  provider: { readonly id: string; readonly secret: string },
  header: string,
  { oid, tid, upn }: ClaimedPerson,
): CheckedSignature {
  const { time = '', nonce = '', mac = '' } = SIGNATURE.exec(header)?.groups ?? {};
  if (mac === '') throw new SsoRefusal('The signature of the proxy has another form than t=,n=,v1=.');
  const expected = createHmac('sha256', provider.secret).update(['v1', time, nonce, oid, tid, upn].join('\n')).digest();
  if (!timingSafeEqual(expected, Buffer.from(mac, 'hex')))
    throw new SsoRefusal(
      'The signature of the proxy is wrong: it has another proxy_secret, or has signed other lines.',
    );
  if (Math.abs(Date.now() / 1_000 - Number(time)) > TOLERANCE_SECONDS) {
    throw new SsoRefusal(
      'The signature of the proxy is more than 60 s old or ahead: compare the clocks of the proxy and of this server.',
    );
  }
  return {
    fingerprint: createHash('sha256').update(`proxy\n${provider.id}\n${nonce}`).digest('base64url'),
    uselessAfter: new Date((Number(time) + 2 * TOLERANCE_SECONDS) * 1_000),
  };
}
