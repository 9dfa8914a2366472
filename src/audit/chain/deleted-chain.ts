import type { EntityManager } from 'typeorm';
import { isOwnRecord, WRITTEN_COLUMNS } from '../../platform/audit/record-mac.js';
import type { WrittenRecord } from '../../platform/audit/record-mac.js';
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
  SELECT ${WRITTEN_COLUMNS} FROM audit_records
  WHERE tenant_id IS NULL AND target_id = $1 AND action = '${DELETE_CHAIN}'`;

/** The words of where a deleted chain ended. */
export function toDeletionReason({ sequence, hash }: ChainEnd): string | undefined {
  return hash ? `the chain ended with number ${sequence} and the hash ${hash.toString('hex')}` : undefined;
}

/**
 * Reads where a chain ended that the server has deleted with its tenant, the farthest end first; none where it has not.
 * There may be several: what is recorded of a tenant after its deletion begins a chain anew, which is deleted as well.
 */
export async function readDeletedEnds(
  tx: Pick<EntityManager, 'query'>,
  secretBox: Pick<SecretBox, 'mac'>,
  chain: string,
): Promise<readonly ChainEnd[]> {
  const records = await tx.query<WrittenRecord[]>(RECORDS, [chain]);
  const entries = await tx.query<ReadEntry[]>(ENTRIES, [chain]);
  return [
    ...records.filter((record) => isOwnRecord(secretBox, record)),
    ...entries.filter((entry) => isOwnEntry(secretBox, entry)),
  ]
    .map(({ reason }) => toEnd(chain, reason ?? ''))
    .toSorted((one, other) => other.sequence - one.sequence);
}

function toEnd(chain: string, reason: string): ChainEnd {
  const { sequence, hash } = REASON.exec(reason)?.groups ?? {};
  return { chain, sequence: Number(sequence ?? 0), hash: hash === undefined ? null : Buffer.from(hash, 'hex') };
}
