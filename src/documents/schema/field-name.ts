import { SCHEMA_LIMITS } from './schema-limits.js';
import { schemaProblem } from './schema-problem.js';

/** In paths of values these stand between names. */
const SEPARATORS = /[.[\]]/;

const UNREADABLE = /\p{Cc}|\p{Cs}/u;

/**
 * Whether a field may have this name: not empty, at most 200 UTF-16 units, without control characters, and without what
 * separates the names of a path (`value-path.ts`), so that a path means one field. `__proto__` is nobody's name: it means
 * something else in too many programs that read the values.
 */
export function isFieldName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= SCHEMA_LIMITS.nameLength &&
    name !== '__proto__' &&
    !SEPARATORS.test(name) &&
    !UNREADABLE.test(name)
  );
}

/** @throws BadRequest for a name that a field may not have */
export function requireFieldName(name: string, pointer: string): void {
  if (isFieldName(name)) return;
  const { nameLength } = SCHEMA_LIMITS;
  const problem = `a name has 1 to ${nameLength} characters without ".", "[", "]" and control characters, and is not "__proto__".`;
  throw schemaProblem(pointer, problem);
}
