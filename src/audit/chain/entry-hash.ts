import { hash } from 'node:crypto';
import { isDate } from 'node:util/types';
import { PERSONAL_COLUMNS, SALT_BYTES, SALTS_BYTES } from '../../platform/audit/audit-record.entity.js';
import type { ErasedCommitments } from '../entries/audit-entry.entity.js';

/** What an entry's hash is made of. */
export interface HashedEntry {
  readonly chain: string;
  readonly id: string;
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly server_request_id: string | null;
  readonly salts: Buffer;
  readonly erased?: ErasedCommitments | null;
  readonly created_at: Date;
}

/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const LONGEST_CHARACTER = 3;
/** Millions of entries are verified: no buffer is made for each of their values. */
const scratch = Buffer.alloc(2_048);
/** Of the form that is described in `docs/audit.md`. */
const VERSION = 1;

/**
 * The hash of an entry: SHA-256 over canonical JSON (RFC 8785), in which what may tell who somebody is stands as a
 * commitment, so that it can be erased (docs/audit.md, The chain). Hexadecimal, as it is told everywhere.
 * @param entry one that has a hash, see `hasHash`
 * @param previousHash of the entry before it; null for the first one
 */
export function hashEntry(entry: HashedEntry, sequence: number, previousHash: string | null): string {
  return hash('sha256', toCanonicalJson(entry, sequence, previousHash), 'hex');
}

/** Whether there is a hash of an entry: whoever writes to the database may put anything there. */
export function hasHash({ created_at: createdAt, salts }: Pick<HashedEntry, 'created_at' | 'salts'>): boolean {
  return isDate(createdAt) && Number.isFinite(createdAt.getTime()) && salts.length === SALTS_BYTES;
}

/** Members in the order of their names, texts and whole numbers alone: so it is canonical as it is. */
function toCanonicalJson(entry: HashedEntry, sequence: number, previousHash: string | null): string {
  return JSON.stringify({
    action: entry.action,
    actor_id: commitmentOf(entry, 'actor_id'),
    actor_type: entry.actor_type,
    chain: entry.chain,
    created_at: entry.created_at.toISOString(),
    id: entry.id,
    ip: commitmentOf(entry, 'ip'),
    outcome: entry.outcome,
    previous_hash: previousHash,
    reason: entry.reason,
    request_id: commitmentOf(entry, 'request_id'),
    sequence,
    server_request_id: entry.server_request_id,
    target_id: commitmentOf(entry, 'target_id'),
    target_type: entry.target_type,
    user_agent: commitmentOf(entry, 'user_agent'),
    version: VERSION,
  });
}

/** What stands for a personal value: the SHA-256 of its salt and of the value, base64url; null where there is none. */
export function commitmentOf(entry: HashedEntry, column: (typeof PERSONAL_COLUMNS)[number]): string | null {
  const erased = entry.erased?.[column];
  if (erased !== undefined) return erased;
  const value = entry[column];
  if (value === null) return null;
  const bytes = salted(entry.salts, PERSONAL_COLUMNS.indexOf(column) * SALT_BYTES, value);
  return hash('sha256', bytes, 'base64url');
}

/** A salt and a value behind it; what is given back holds until the next call. */
function salted(salts: Buffer, at: number, value: string): Buffer {
  const fits = SALT_BYTES + value.length * LONGEST_CHARACTER <= scratch.length && salts.length === SALTS_BYTES;
  if (!fits) return Buffer.concat([salts.subarray(at, at + SALT_BYTES), Buffer.from(value, 'utf8')]);
  salts.copy(scratch, 0, at, at + SALT_BYTES);
  return scratch.subarray(0, SALT_BYTES + scratch.write(value, SALT_BYTES));
}

/** 16 random bytes. */
export function saltOf({ salts }: HashedEntry, column: (typeof PERSONAL_COLUMNS)[number]): Buffer {
  const at = PERSONAL_COLUMNS.indexOf(column) * SALT_BYTES;
  return salts.subarray(at, at + SALT_BYTES);
}
