import { BadRequest } from '../../errors.js';
import { readableName } from '../../platform/text/name.js';
import { normalizeEmail } from '../users/email.js';
import { SsoRefusal } from './sso-refusal.js';

const MAX_CHARACTERS = 320;
const MAX_NAME_CHARACTERS = 200;
/** What stands before the subject of somebody whose issuer has no `oid`, so that it is nobody's `oid`. */
const SUBJECT = 'sub:';

/** The claims of an id token by which it tells who somebody is. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * Who somebody is to an issuer: the claim `oid`, or `sub:` and the subject where the token has none. The same for every
 * entrance, and one person's subject is never another's `oid`.
 * @throws SsoRefusal where the token does not tell
 */
export function externalIdOf({ oid, sub }: Claims): string {
  if (oid === undefined && typeof sub === 'string') return requireText(`${SUBJECT}${sub}`, SUBJECT.length + 1);
  if (typeof oid !== 'string' || oid.startsWith(SUBJECT))
    throw new SsoRefusal('The id token does not say who it is for: it has neither a usable oid nor a sub.');
  return requireText(oid);
}

/**
 * The form in which addresses are stored and compared.
 * @throws SsoRefusal where it can be none
 */
export function toAddress(value: unknown): string {
  try {
    if (typeof value === 'string' && value.isWellFormed()) return normalizeEmail(value);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
  }
  throw new SsoRefusal('There is no usable address in upn, preferred_username or email.');
}

/**
 * The address of somebody, as `toAddress` gives it: `upn`, else `preferred_username`, else `email`.
 * @throws SsoRefusal where there is none, or it is an `email` of which the issuer says that it is not verified
 */
export function addressOf({ upn, preferred_username: preferred, email, email_verified: verified }: Claims): string {
  const given = upn ?? preferred;
  const isDoubtful = verified !== undefined && verified !== true && verified !== 'true';
  if (given == null && isDoubtful)
    throw new SsoRefusal('The only address is email, and the identity provider says that it is not verified.');
  return toAddress(given ?? email);
}

/** What people call somebody, as the claim `name` has it; undefined where there is no such name. */
export function nameOf({ name }: Claims): string | undefined {
  return typeof name === 'string' ? readableName(name, MAX_NAME_CHARACTERS) || undefined : undefined;
}

/**
 * A text without what could end a line, or be read in two ways.
 * @throws SsoRefusal where it is empty, too long or has control characters
 */
export function requireText(text: string, least = 1): string {
  if (text.length < least || !isPlainText(text))
    throw new SsoRefusal('An oid, tid or upn is empty, too long, or has control characters.');
  return text;
}

/** Whether a text can be an id. */
export function isPlainText(text: string): boolean {
  return text.length <= MAX_CHARACTERS && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}
