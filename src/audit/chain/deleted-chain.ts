import type { DataSource } from 'typeorm';
import { macOfRecord } from '../../platform/audit/record-mac.js';
import type { RecordContent } from '../../platform/audit/record-mac.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';
import { ENTRY_COLUMNS, isOwnEntry } from './chain-reader.js';
import type { ReadEntry } from './chain-reader.js';
import type { ChainEnd } from './chain-end.js';

/** What the entry is called that tells of a chain that was deleted with its tenant. */
export const DELETE_CHAIN = 'audit_log.delete';

const REASON = /^the chain ended with number (?<sequence>\d+) and the hash (?<hash>[0-9a-f]{64})$/;

const ENTRIES = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries
  WHERE chain = '${PLATFORM_CHAIN}' AND target_id = $1 AND action = '${DELETE_CHAIN}'`;

const RECORDS = `
  SELECT id, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, reason, ip, user_agent,
    request_id, server_request_id, salts, created_at, mac
  FROM audit_records WHERE tenant_id IS NULL AND target_id = $1 AND action = '${DELETE_CHAIN}'`;

/** The words of where a deleted chain ended. */
export function toDeletionReason({ sequence, hash }: ChainEnd): string | undefined {
  return hash ? `the chain ended with number ${sequence} and the hash ${hash.toString('hex')}` : undefined;
}

/** Where a chain ended that the server has deleted with its tenant; undefined where it has not. */
export async function readDeletedEnd(
  dataSource: DataSource,
  secretBox: Pick<SecretBox, 'mac'>,
  chain: string,
): Promise<ChainEnd | undefined> {
  const records = await dataSource.query<(RecordContent & { readonly mac: Buffer })[]>(RECORDS, [chain]);
  const entries = await dataSource.query<ReadEntry[]>(ENTRIES, [chain]);
  const told = [
    ...records.filter((record) => record.mac.equals(macOfRecord(secretBox, record))),
    ...entries.filter((entry) => isOwnEntry(secretBox, entry)),
  ].at(0);
  if (!told) return undefined;
  const { sequence, hash } = REASON.exec(told.reason ?? '')?.groups ?? {};
  return { chain, sequence: Number(sequence ?? 0), hash: hash === undefined ? null : Buffer.from(hash, 'hex') };
}
