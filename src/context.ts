import type { Credentials } from './access/caller.js';
import type { Client } from './access/client.js';
import type { OperationAdmission } from './admission/operation-admission.js';
import type { Reply } from './admission/reply.js';
import type { RequestTimings } from './platform/telemetry/request-timings.js';

/** The transport that a request came by. */
export type Transport = 'rest' | 'graphql' | 'graphql-ws' | 'graphql-sse';

/** What a request carries that may prove who sends it to others than the access rules. It is never logged. */
export interface PresentedProof {
  /** The bearer token, where it is no credential of this server. */
  readonly bearer?: string;
  /** The header `x-sso-signature`. */
  readonly signature?: string;
  /** The header `cookie`. */
  readonly cookie?: string;
}

/** What answers in one server. The graph is the same for all servers of a process that have the same domains. */
export interface Responders {
  /** The instance of a resolver class. */
  resolverOf(resolverClass: unknown): object | undefined;
  /**
   * The entities that a router asks for by their keys, in their order; null where the caller may not see one or it does
   * not exist.
   * @throws PlatformError where the type is not open to the caller
   */
  entitiesOf(
    type: string,
    references: readonly Readonly<Record<string, unknown>>[],
    context: RequestContext,
  ): Promise<readonly (object | null)[]>;
}

/** Everything about one request that is not the caller's input. */
export interface RequestContext extends Credentials, Client {
  readonly transport: Transport;
  /**
   * Aborted with a `PlatformError` as reason when nobody waits for the answer any more (`ClientGone`)
   * or the answer must stop (session revoked, server draining).
   */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Absent for an operation of a web socket: those who sign in by a proof do so over HTTP. */
  readonly proof?: PresentedProof;
  /** Absent for an operation of a web socket. */
  readonly timings?: RequestTimings;
  /** What the operation has to pass, and what is given back when it ends. */
  readonly admission: OperationAdmission;
  readonly responders: Responders;
}
