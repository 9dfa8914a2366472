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

/** What shows that this installation has written a record: whoever can only write to the database cannot make one. */
export function macOfRecord(secretBox: Pick<SecretBox, 'mac'>, record: RecordContent): Buffer {
  const content = [
    record.id,
    record.tenant_id,
    record.action,
    record.actor_type,
    record.actor_id,
    record.target_type,
    record.target_id,
    record.outcome,
    record.reason,
    record.ip,
    record.user_agent,
    record.request_id,
    record.server_request_id,
    record.salts.toString('base64url'),
    isDate(record.created_at) ? record.created_at.getTime() : null,
  ];
  return secretBox.mac('audit-record', JSON.stringify(content));
}
