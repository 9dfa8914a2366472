import { BadRequest } from '../../errors.js';

/**
 * A name as it is stored: trimmed.
 * @throws BadRequest for what is empty, too long, or holds control characters
 */
export function checkedName(name: string, maxCharacters: number): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > maxCharacters) {
    throw new BadRequest(`name must have 1 to ${maxCharacters} characters.`, 'name');
  }
  if (/\p{Cc}|\p{Cs}/u.test(trimmed)) throw new BadRequest('name must not contain control characters.', 'name');
  return trimmed;
}
