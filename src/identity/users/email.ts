import { BadRequest } from '../../errors.js';

const MAX_EMAIL_CHARACTERS = 320;

/**
 * The form in which email addresses are stored and compared: trimmed, lower case.
 * @throws BadRequest for what cannot be one: empty, too long, or with control characters
 */
export function normalizeEmail(email: string): string {
  const normal = email.trim().toLowerCase();
  if (normal === '') throw new BadRequest('email must not be empty.', 'email');
  if (normal.length > MAX_EMAIL_CHARACTERS) throw new BadRequest('email is too long.', 'email');
  if (/\p{Cc}/u.test(normal)) throw new BadRequest('email must not contain control characters.', 'email');
  return normal;
}
