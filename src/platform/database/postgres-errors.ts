import { setTimeout as delay } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import { systemCode } from '../operational-error.js';

/** SQLSTATE codes, or their beginnings (PostgreSQL, appendix A), and system errors of a connection. */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
/** A schema, type, table or index of this name, or its row in a catalog (a unique violation). */
const DUPLICATE_OBJECT = /^(42710|42P06|42P07|23505)/;
const PERMISSION_DENIED = '42501';
const UNDEFINED_TABLE = '42P01';
const DISK_FULL = '53100';
/** Of a disk, shared memory, or other memory. */
const OUT_OF_SPACE = /^(53100|53200)/;
const LOCK_NOT_AVAILABLE = '55P03';
/** A deadlock, or a serialization that failed. */
const ROLLED_BACK = /^40/;
/** A NUL character in a text, or a character that the database's encoding does not have. */
/** The class of errors of values. */
const DATA_EXCEPTION = '22';
const UNSTORABLE = /^(22021|22P05)/;
/** Damage, and the system below. */
const BROKEN = /^(XX|58)/;
/** A database that is away, starting, stopping, full or too slow. */
const UNAVAILABLE = /^(08|53|57P0|57014|25P03|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)/;

/** What `pg` says of a connection that broke while it waited for an answer. */
const CONNECTION_LOST = 'Connection terminated unexpectedly';
const LOST_TRIES = 5;
const LOST_PAUSE_MS = 20;

/** The message of an embedded database that says nothing for too long. */
export const NO_ANSWER = 'The database does not answer';
const LOST = new RegExp(`^(Connection terminated|timeout exceeded when trying to connect|${NO_ANSWER})`);

/** The SQLSTATE of a query's error, or the code of the system error behind it; an empty text where it has none. */
export function databaseErrorCode(error: unknown): string {
  return systemCode(causeOf(error));
}

/** Whether a row was refused because another one has the same value where only one may. */
export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorCode(error) === UNIQUE_VIOLATION;
}

/** Whether a row was refused because what it refers to does not exist, or deleted while others refer to it. */
export function isForeignKeyViolation(error: unknown): boolean {
  return databaseErrorCode(error) === FOREIGN_KEY_VIOLATION;
}

/** Whether something could not be made because it is there already, as where another process makes it. */
export function isDuplicateObject(error: unknown): boolean {
  return DUPLICATE_OBJECT.test(databaseErrorCode(error));
}

/** Whether the database's user may not do this. */
export function isPermissionDenied(error: unknown): boolean {
  return databaseErrorCode(error) === PERMISSION_DENIED;
}

/** Whether a statement names a table that is not there, or not any more. */
export function isUndefinedTable(error: unknown): boolean {
  return databaseErrorCode(error) === UNDEFINED_TABLE;
}

/** Whether a statement needed more memory, or more of a disk, than there is. */
export function isOutOfSpace(error: unknown): boolean {
  return OUT_OF_SPACE.test(databaseErrorCode(error));
}

/** Whether the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return databaseErrorCode(error) === DISK_FULL;
}

/** Whether a lock was not had at once, or within `lock_timeout`. */
export function isLockNotAvailable(error: unknown): boolean {
  return databaseErrorCode(error) === LOCK_NOT_AVAILABLE;
}

/** Whether a text was refused for one of its characters. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE.test(databaseErrorCode(error));
}

/** Whether a value was refused for what it is: the same query never works. */
export function isUnstorableValue(error: unknown): boolean {
  return databaseErrorCode(error).startsWith(DATA_EXCEPTION);
}

/** Whether the same query works the next time: a deadlock or a failed serialization. */
export function isWorthRepeating(error: unknown): boolean {
  return ROLLED_BACK.test(databaseErrorCode(error));
}

/** Whether the database is not there for now, so that the answer is 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { message } = Object(causeOf(error)) as { message?: unknown };
  return UNAVAILABLE.test(databaseErrorCode(error)) || LOST.test(String(message));
}

/**
 * Reads, and reads again where the connection broke meanwhile: the pool has others, of which several may have broken at
 * once. For reads that many calls wait for; a database that is silent is not asked twice.
 */
export async function readAgainIfLost<T>(read: () => Promise<T>): Promise<T> {
  for (let triesLeft = LOST_TRIES; ; triesLeft -= 1) {
    try {
      return await read();
    } catch (error) {
      const { message } = Object(causeOf(error)) as { message?: unknown };
      if (message !== CONNECTION_LOST || triesLeft === 0) throw error;
      await delay(LOST_PAUSE_MS);
    }
  }
}

/** Whether an error of an embedded database's start says that its files or its disk are at fault. */
export function isDatabaseBroken(error: unknown): boolean {
  return isDatabaseUnavailable(error) || BROKEN.test(databaseErrorCode(error));
}

function causeOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}
