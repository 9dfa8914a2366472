/** Where the request came from that an audit event belongs to. */
export interface AuditOrigin {
  readonly address: string;
  readonly userAgent?: string;
  /** What the client calls the request, where it does. */
  readonly requestId?: string;
  /** The server's own id of the request; absent where several are told of together. */
  readonly serverRequestId?: string;
}

/** What acted: a user, a service by its key, somebody without an account, a command line, or the server by itself. */
export type AuditActorType = 'user' | 'service_key' | 'unknown' | 'operator' | 'system';

/** Who did something. */
export interface AuditActor {
  readonly type: AuditActorType;
  /** Null where there is none to tell. */
  readonly id: string | null;
  /** Absent where there was no request. */
  readonly client?: AuditOrigin;
}

/** How it ended: `denied` where whoever acted may not do it. */
export type AuditOutcome = 'success' | 'failure' | 'denied';

/** Something that happened. It holds no secret, prompt or answer, and no name or address of anybody. */
export interface AuditEvent {
  /** Whom it concerns; null: the installation. */
  readonly tenantId: string | null;
  /** A noun and a verb, such as `api_token.create`. */
  readonly action: `${string}.${string}`;
  /** What was acted on; left out: nothing that has an id. */
  readonly target?: { readonly type: string; readonly id: string | null };
  /** `success` unless it is given. */
  readonly outcome?: AuditOutcome;
  /** Why, in words that are written in the code. */
  readonly reason?: string;
}

/** The actor of what the server does by itself. */
export const SYSTEM: AuditActor = { type: 'system', id: null };
