import { createHash } from 'node:crypto';
import type { SecretBox } from '../../platform/crypto/secret-box.js';

/** Base64url of 32 bytes; ids are shorter. */
const IDENTIFIER = /^[\w-]{43}$/;

/** What the audit log calls an account that nobody has: a keyed hash of its name, base64url. */
export function accountIdentifier(secretBox: Pick<SecretBox, 'mac'>, name: string): string {
  return secretBox.mac('audit-identifier', name).toString('base64url');
}

/** Whether a text has the form of what `accountIdentifier` makes, which no id has. */
export function isAccountIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/**
 * The name of the account of somebody whom an identity provider vouches for.
 * @param tid the provider's name of itself, as the claim of that name has it
 * @param oid who it is there
 */
export function ssoAccountName(tid: string, oid: string): string {
  return `sso:${createHash('sha256')
    .update(JSON.stringify([tid, oid]))
    .digest('base64url')}`;
}
