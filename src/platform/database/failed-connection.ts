import { OperationalError } from '../operational-error.js';
import { databaseErrorCode } from './postgres-errors.js';

/** By the code of a system error, or the SQLSTATE of PostgreSQL's answer. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/, 'does not answer: start it, or correct DATABASE_URL.'],
  [/^28/, 'refuses the user or the password of DATABASE_URL.'],
  [/^3D000/, 'does not have the database that DATABASE_URL names: create it, or name another one.'],
  [/^(53100|58030)/, 'cannot write: make room on its disk.'],
  [/^(53|57P)/, 'takes no connection for now: it is starting, stopping, or has no connection left.'],
  [/^25006/, 'is read-only, as a standby is: name the primary in DATABASE_URL.'],
  [/^42501/, 'does not grant the user of DATABASE_URL the rights it needs: see docs/operations.md, PostgreSQL.'],
];

/**
 * The error for a PostgreSQL server that cannot be used at the start, told as one line where the reason is known;
 * anything else as it came.
 * @param url of the database; its password is not told
 */
export function explainFailedConnection(url: string, error: unknown): unknown {
  const line = describeFailedDatabase(error, new URL(url).host);
  return line === undefined ? error : new OperationalError(line);
}

/**
 * What an operator has to do about a PostgreSQL server that does not do what it is asked, in one line.
 * @param host with its port; left out where only one is meant
 * @returns undefined where the reason is none of the known ones
 */
export function describeFailedDatabase(error: unknown, host?: string): string | undefined {
  const code = databaseErrorCode(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1];
  const server = host === undefined ? 'The database server' : `The database server ${host}`;
  return reason && `${server} ${reason} (${code})`;
}
