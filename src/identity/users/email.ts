import { domainToASCII } from 'node:url';
import { BadRequest } from '../../errors.js';

const MAX_EMAIL_CHARACTERS = 320;
/** Nothing that could begin another address, or another header, in a mail. */
const ADDRESS = /^[^\s\p{Cf}@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u;

/** One of the Internet: its last part has letters. */
const DOMAIN = /\.[a-z][a-z\d-]*[a-z\d]$/;

/**
 * The form in which email addresses are stored and compared: trimmed, lower case, the domain in ASCII.
 * @throws BadRequest for what cannot be one: empty, too long, or with control characters
 */
export function normalizeEmail(email: string): string {
  const normal = withPlainDomain(email.trim().toLowerCase());
  if (normal === '') throw new BadRequest('email must not be empty.', 'email');
  if (normal.length > MAX_EMAIL_CHARACTERS) throw new BadRequest('email is too long.', 'email');
  if (/[\p{Cc}\p{Cs}]/u.test(normal)) throw new BadRequest('email must not contain control characters.', 'email');
  return normal;
}

/**
 * As `normalizeEmail`, for an address that mails will be sent to.
 * @throws BadRequest also for what has not one @ between two parts
 */
export function normalizeAddress(email: string): string {
  const normal = normalizeEmail(email);
  if (!ADDRESS.test(normal)) throw new BadRequest('email must be an address such as ada@example.com.', 'email');
  return normal;
}

/** Whether a text looks like an address by which mail comes from afar, and not like whatever else has an @. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && DOMAIN.test(text);
}

/** A domain can be written in many ways, with the same mailbox behind each of them. */
function withPlainDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  if (at === 0) return email;
  // What cannot be a domain stays as it is, and is nobody's.
  const domain = domainToASCII(email.slice(at)) || email.slice(at);
  return email.slice(0, at) + domain.replace(/\.+$/, '');
}
