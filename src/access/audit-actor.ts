import type { AuditActor, AuditOrigin } from '../platform/audit/audit-event.js';
import { requireServiceKey } from './access-rule.js';
import type { Caller, Credentials } from './caller.js';
import type { Client } from './client.js';

/** The actor of what a caller does. */
export function actorOf({ userId, client }: Caller): AuditActor {
  return { type: 'user', id: userId, client: originOf(client) };
}

/**
 * The actor of what a service does by its key.
 * @throws Unauthorized where there is none
 */
export function serviceActorOf(request: Credentials & Client): AuditActor {
  return { type: 'service_key', id: requireServiceKey(request), client: originOf(request) };
}

/**
 * The actor of what is done as a user before there is a caller: by whom the server has just found to be that user, or, of
 * a failure, by whoever claims to be it.
 */
export function userActor(client: Client, userId: string): AuditActor {
  return { type: 'user', id: userId, client: originOf(client) };
}

/** The actor of what is done by whoever has no account that the server knows. @param id a keyed hash of what they call themselves; null: nothing is told */
export function unknownActor(client: Client, id: string | null = null): AuditActor {
  return { type: 'unknown', id, client: originOf(client) };
}

/** A request has more than is recorded, such as its credentials. */
function originOf({ address, userAgent, requestId, serverRequestId }: Client): AuditOrigin {
  return { address, userAgent, requestId, serverRequestId };
}
