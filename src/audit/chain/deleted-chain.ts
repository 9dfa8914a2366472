import type { EntityManager } from 'typeorm';
import { isOwnRecord, WRITTEN_COLUMNS } from '../../platform/audit/record-mac.js';
import type { WrittenRecord } from '../../platform/audit/record-mac.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';
import { ENTRY_COLUMNS, isOwnEntry } from './chain-reader.js';
import type { ReadEntry } from './chain-reader.js';
import type { ChainEnd, WrittenEnd } from './chain-end.js';

/** What the entry is called that tells of a chain that was deleted with its tenant. */
export const DELETE_CHAIN = 'audit_log.delete';

const REASON =
  /^the chain ended with number (?<sequence>\d+) and the hash (?<hash>[0-9a-f]{64})(?:; it was broken behind number \d+)?$/;
/** Of a chain of which nothing was left. */
const BROKEN_REASON = 'the chain was broken and had no entries';

const ENTRIES = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries
  WHERE chain = '${PLATFORM_CHAIN}' AND target_id = $1 AND action = '${DELETE_CHAIN}'`;

const RECORDS = `
  SELECT ${WRITTEN_COLUMNS} FROM audit_records
  WHERE tenant_id IS NULL AND target_id = $1 AND action = '${DELETE_CHAIN}'`;

/** The words of where a deleted chain ended, and whether it was broken. */
export function toDeletionReason({ sequence, hash, brokenSequence }: DeletedChain): string | undefined {
  if (hash === null) return brokenSequence === null ? undefined : BROKEN_REASON;
  const broken = brokenSequence === null ? '' : `; it was broken behind number ${brokenSequence}`;
  return `the chain ended with number ${sequence} and the hash ${hash}${broken}`;
}

/** The end of a chain that is deleted, and behind which number it was found broken; null: it was not. */
export type DeletedChain = ChainEnd & Pick<WrittenEnd, 'brokenSequence'>;

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
    .flatMap(({ reason }) => toEnd(chain, reason) ?? [])
    .toSorted((one, other) => other.sequence - one.sequence);
}

/** @returns undefined for words that nobody writes who deletes a chain */
function toEnd(chain: string, reason: string | null): ChainEnd | undefined {
  if (reason === null || reason === BROKEN_REASON) return { chain, sequence: 0, hash: null };
  const { sequence, hash } = REASON.exec(reason)?.groups ?? {};
  if (sequence === undefined || hash === undefined) return undefined;
  return { chain, sequence: Number(sequence), hash };
}
