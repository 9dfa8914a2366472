import { PERSONAL_COLUMNS, SALT_BYTES } from '../../platform/audit/audit-record.entity.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { saltOf } from './entry-hash.js';
import type { HashedEntry } from './entry-hash.js';

/** The columns whose values go when somebody is erased; the others get a pseudonym. */
const EMPTIED_COLUMNS: readonly string[] = ['ip', 'user_agent', 'request_id'];
const NO_SALT = Buffer.alloc(SALT_BYTES);

/**
 * What shows that this installation has sealed an entry, and erased of it what is erased. The hash stands for all that
 * it covers; the values that took the place of erased ones are not among that, and so stand here.
 */
export function macOfEntry(secretBox: Pick<SecretBox, 'mac'>, entry: HashedEntry, hash: string): Buffer {
  const { erased } = entry;
  if (!erased) return secretBox.mac('audit-entry', hash);
  const left = PERSONAL_COLUMNS.map((column) => (Object.hasOwn(erased, column) ? [column, entry[column]] : null));
  return secretBox.mac('audit-entry', hash, JSON.stringify(left));
}

/** Whether what is erased of an entry is erased as the server does it: a commitment is left, and neither value nor salt. */
export function isErasureConsistent(entry: HashedEntry): boolean {
  const { erased } = entry;
  if (!erased) return true;
  return PERSONAL_COLUMNS.every((column) => {
    if (!Object.hasOwn(erased, column)) return true;
    if (typeof erased[column] !== 'string' || !saltOf(entry, column).equals(NO_SALT)) return false;
    return EMPTIED_COLUMNS.includes(column) ? entry[column] === null : entry[column] !== null;
  });
}
