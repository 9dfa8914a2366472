import type { CallClaim } from '../../admission/call-claim.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import { requireSameRequest } from './claim-conflict.js';

interface Turn {
  readonly claim: CallClaim;
  readonly over: Promise<void>;
}

/** The attempts of this process at calls with an Idempotency-Key: of each key one at a time, the others wait for it. */
export class ClaimTurns {
  private readonly turns = new Map<string, Turn>();

  /**
   * Resolves when it is this attempt's turn; the returned function ends it.
   * @param signal ends the wait
   * @throws IdempotencyConflict where the attempt before it asks for something else, or with another credential; the
   * reason of the signal
   */
  async take(claim: CallClaim, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const before = this.turns.get(claim.id);
      if (!before) break;
      requireSameRequest({ state: 'open', fingerprint: before.claim.fingerprint }, claim);
      await unlessAborted(before.over, signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn = { claim, over: promise };
    this.turns.set(claim.id, turn);
    return () => {
      if (this.turns.get(claim.id) === turn) this.turns.delete(claim.id);
      resolve();
    };
  }
}
