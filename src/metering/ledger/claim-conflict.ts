import type { CallClaim } from '../../admission/call-claim.js';
import { IdempotencyConflict } from '../../errors.js';
import type { ClaimHolder } from './ledger.types.js';

/** What a second attempt is told where its answer cannot be told again. */
export function conflictOf(holder: ClaimHolder, claim: CallClaim): IdempotencyConflict {
  const [credential, content] = claim.fingerprint.split('.');
  const [heldCredential, heldContent] = holder.fingerprint.split('.');
  // Contents can be compared with the same credential only.
  if (credential === heldCredential && content !== heldContent) return new IdempotencyConflict('idempotency_mismatch');
  return new IdempotencyConflict(holder.state === 'open' ? 'idempotency_in_progress' : 'idempotency_not_replayable');
}

/** @throws IdempotencyConflict where another request has the claim, or the same one with another credential */
export function requireSameRequest(holder: ClaimHolder, claim: CallClaim): void {
  if (holder.fingerprint !== claim.fingerprint) throw conflictOf(holder, claim);
}
