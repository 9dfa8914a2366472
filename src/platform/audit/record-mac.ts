import { isDate } from 'node:util/types';
import type { SecretBox } from '../crypto/secret-box.js';

/** What the MAC of a record is made of: all that its row has but for the `ordinal`, which the database gives. */
export interface RecordContent {
  readonly id: string;
  readonly tenant_id: string | null;
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
  readonly created_at: Date;
}

/** A record as it stands in the database. */
export interface WrittenRecord extends RecordContent {
  readonly mac: Buffer;
}

/** The columns of a `RecordContent`, in the order that they have in its MAC: rows exist, so it never changes. */
export const RECORD_COLUMNS = [
  'id',
  'tenant_id',
  'action',
  'actor_type',
  'actor_id',
  'target_type',
  'target_id',
  'outcome',
  'reason',
  'ip',
  'user_agent',
  'request_id',
  'server_request_id',
  'salts',
  'created_at',
] as const satisfies readonly (keyof RecordContent)[];

/** The columns of a `WrittenRecord`, for a query. */
export const WRITTEN_COLUMNS: string = [...RECORD_COLUMNS, 'mac'].join(', ');

/** What shows that this installation has written a record: whoever can only write to the database cannot make one. */
export function macOfRecord(secretBox: Pick<SecretBox, 'mac'>, record: RecordContent): Buffer {
  const content = RECORD_COLUMNS.map((column) => {
    if (column === 'salts') return record.salts.toString('base64url');
    // The database has infinite times as well, which are no dates.
    if (column === 'created_at') return isDate(record.created_at) ? record.created_at.getTime() : null;
    return record[column];
  });
  return secretBox.mac('audit-record', JSON.stringify(content));
}

/** Whether a record is as this installation has written it. */
export function isOwnRecord(secretBox: Pick<SecretBox, 'mac'>, record: WrittenRecord): boolean {
  return record.mac.equals(macOfRecord(secretBox, record));
}
