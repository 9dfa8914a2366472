import { newSecret } from './browser-cookie.js';

/** No application begins its own nonces so by chance. */
const PREFIX = 'browser-sso-';

/** A nonce (OpenID Connect Core 1.0, 2) for the id token of a sign-in by a browser: 256 random bits behind a prefix. */
export function newBrowserNonce(): string {
  return PREFIX + newSecret();
}

/** Whether an id token was made for a sign-in by a browser, so that it is no proof for anybody else. */
export function isBrowserNonce(nonce: unknown): boolean {
  return typeof nonce === 'string' && nonce.startsWith(PREFIX);
}
