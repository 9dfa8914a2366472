import type { CallClaim } from '../../admission/call-claim.js';
import { setTimeout as delay } from 'node:timers/promises';
import { IdempotencyConflict } from '../../errors.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import { requireSameRequest } from './claim-conflict.js';

/** How long one whose client is just leaving may take to say so, in milliseconds: a retry may overtake that. */
const LEAVING_MS = 250;

interface Turn {
  readonly claim: CallClaim;
  /** Its client has left. */
  readonly left: PromiseWithResolvers<void>;
  readonly over: PromiseWithResolvers<void>;
}

/** The turn of an attempt. */
export interface OwnTurn {
  /** Its client has left: the attempts that follow wait for its end. */
  leave(): void;
  end(): void;
}

/** The attempts of this process at calls with an Idempotency-Key: of each key one at a time. */
export class ClaimTurns {
  private readonly turns = new Map<string, Turn>();

  /**
   * Resolves when it is this attempt's turn, after those whose clients have left.
   * @param signal ends the wait
   * @throws IdempotencyConflict where the client of the attempt before it is there, or that asks for something else, or with
   * another credential; the reason of the signal
   */
  async take(claim: CallClaim, signal: AbortSignal): Promise<OwnTurn> {
    for (;;) {
      const before = this.turns.get(claim.id);
      if (!before) break;
      requireSameRequest({ state: 'open', fingerprint: before.claim.fingerprint }, claim);
      const { left, over } = before;
      const isWaitedFor = Promise.race([left.promise, over.promise]).then(() => true);
      const hasLeft = await unlessAborted(
        Promise.race([isWaitedFor, delay(LEAVING_MS, false, { ref: false })]),
        signal,
      );
      if (!hasLeft) throw new IdempotencyConflict('idempotency_in_progress');
      await unlessAborted(over.promise, signal);
    }
    const turn = { claim, left: Promise.withResolvers<void>(), over: Promise.withResolvers<void>() };
    this.turns.set(claim.id, turn);
    return {
      leave: () => turn.left.resolve(),
      end: () => {
        if (this.turns.get(claim.id) === turn) this.turns.delete(claim.id);
        turn.over.resolve();
      },
    };
  }
}
