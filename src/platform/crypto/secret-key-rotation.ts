import type { Logger } from 'pino';
import type { AuditActor } from '../audit/audit-event.js';
import type { AuditRecorder } from '../audit/audit-recorder.js';
import { Resealer } from './resealer.js';
import type { ResealerParts, SealedCounts } from './resealer.js';

const EVENT = { tenantId: null, action: 'secret_key.rotate' } as const;

/** What a change of the secret key stands on. */
export interface SecretKeyRotationParts extends ResealerParts {
  readonly audit: Pick<AuditRecorder, 'recordAlone'>;
  /** Who changes it. */
  readonly actor: AuditActor;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Seals anew what the previous secret key has sealed, and records how that has ended.
 * @param tell is told of each column when it is done
 * @returns what was found in each column
 */
export async function rotateSecretKey(
  parts: SecretKeyRotationParts,
  tell: (column: SealedCounts) => void = () => undefined,
): Promise<SealedCounts[]> {
  const { audit, actor, log } = parts;
  const counts: SealedCounts[] = [];
  try {
    for await (const column of new Resealer(parts).reseal()) {
      counts.push(column);
      tell(column);
    }
  } catch (error) {
    // Why it was broken off counts more than that nobody could record it.
    await audit
      .recordAlone(actor, { ...EVENT, outcome: 'failure', reason: 'it was broken off' })
      .catch((err: unknown) => log.error({ err }, 'that the change of the secret key was broken off is not recorded'));
    throw error;
  }
  const problem = problemOf(counts);
  await audit.recordAlone(actor, { ...EVENT, outcome: problem ? 'failure' : 'success', reason: problem });
  return counts;
}

/** How many values only the previous secret key opens. */
export function countStale(counts: readonly SealedCounts[]): number {
  return counts.reduce((sum, column) => sum + column.stale, 0);
}

/** Why the change of the key is not over; undefined where it is. */
function problemOf(counts: readonly SealedCounts[]): string | undefined {
  if (counts.some(({ unopened }) => unopened.length > 0)) return 'some values open with neither key';
  return countStale(counts) > 0 ? 'some values still need the previous key' : undefined;
}
