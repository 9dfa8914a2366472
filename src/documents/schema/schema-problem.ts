import { BadRequest } from '../../errors.js';

/** So much of a pointer is told, in UTF-16 units. */
const POINTER_LENGTH = 300;

/** The JSON pointer of something inside of another (RFC 6901, section 3). */
export function pointerTo(parent: string, ...names: readonly (string | number)[]): string {
  const tokens = names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return parent + tokens.join('');
}

/**
 * The error for something in a schema.
 * @param pointer a JSON pointer to it; '' is the whole schema
 * @param problem a sentence that says what is possible instead
 */
export function schemaProblem(pointer: string, problem: string): BadRequest {
  const isLong = pointer.length > POINTER_LENGTH;
  const shown = JSON.stringify(isLong ? `${pointer.slice(0, POINTER_LENGTH)}…` : pointer);
  return new BadRequest(`schema is not accepted at ${shown}: ${problem}`, 'schema');
}
