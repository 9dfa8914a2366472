import type { Credentials } from './access/caller.js';
import type { CallClaim } from './admission/call-claim.js';
import type { Reply } from './admission/reply.js';

/** The transport that a request came by. */
export type Transport = 'rest' | 'graphql' | 'graphql-ws' | 'graphql-sse';

/** Everything about one request that is not the caller's input. */
export interface RequestContext extends Credentials {
  readonly transport: Transport;
  readonly requestId: string;
  /** The client's address, through trusted proxies only. */
  readonly address: string;
  /** As it came; it counts where something is made. */
  readonly idempotencyKey?: string;
  /**
   * Aborted with a `PlatformError` as reason when nobody waits for the answer any more (`ClientGone`)
   * or the answer must stop (session revoked, server draining).
   */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** What the Idempotency-Key stands for; the record of the call takes it. */
  claim?: CallClaim;
  /** Takes the request back from the caller's limit, for calls that are refused later. */
  refundRateLimit?: () => Promise<void>;
  /** The request was counted before its field is executed. */
  limited: boolean;
}
