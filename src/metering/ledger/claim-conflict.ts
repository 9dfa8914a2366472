import type { CallClaim } from '../../admission/call-claim.js';
import { IdempotencyConflict } from '../../errors.js';
import type { Verdict } from './ledger.types.js';

/** What a second attempt is told where its answer cannot be told again. */
export function conflictOf(holder: Extract<Verdict, { kind: 'claimed' }>, claim: CallClaim): IdempotencyConflict {
  const [credential, content] = claim.fingerprint.split('.');
  const [heldCredential, heldContent] = holder.fingerprint.split('.');
  // Contents can be compared with the same credential only.
  if (credential === heldCredential && content !== heldContent) return new IdempotencyConflict('idempotency_mismatch');
  return new IdempotencyConflict(holder.state === 'open' ? 'idempotency_in_progress' : 'idempotency_not_replayable');
}
