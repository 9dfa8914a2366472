import type { Credentials } from './access/caller.js';
import type { OperationAdmission } from './admission/operation-admission.js';
import type { Reply } from './admission/reply.js';
import type { RequestTimings } from './platform/telemetry/request-timings.js';

/** The transport that a request came by. */
export type Transport = 'rest' | 'graphql' | 'graphql-ws' | 'graphql-sse';

/** Everything about one request that is not the caller's input. */
export interface RequestContext extends Credentials {
  readonly transport: Transport;
  readonly requestId: string;
  /** The client's address, through trusted proxies only. */
  readonly address: string;
  /**
   * Aborted with a `PlatformError` as reason when nobody waits for the answer any more (`ClientGone`)
   * or the answer must stop (session revoked, server draining).
   */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Absent for an operation of a web socket. */
  readonly timings?: RequestTimings;
  /** What the operation has to pass, and what is given back when it ends. */
  readonly admission: OperationAdmission;
}
