import { BadRequest } from '../errors.js';

/**
 * The value of a patch's field that may be absent, but not null.
 * @throws BadRequest that names the field
 */
export function notNull<T>(value: T | null | undefined, field: string): T {
  if (value !== null && value !== undefined) return value;
  throw new BadRequest(`${field} may be left out, but it must not be null.`, field);
}
