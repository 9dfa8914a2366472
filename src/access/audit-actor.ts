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

/** The actor of what somebody does who has not proven to be anybody. @param id of whom it is about, or a hash; null: nobody is named */
export function unprovenActor(client: Client, type: 'user' | 'unknown', id: string | null): AuditActor {
  return { type, id, client: originOf(client) };
}

/** The server's own id is kept when somebody is erased: it must not tell what the request was called. */
function originOf({ address, userAgent, requestId, serverRequestId }: Client): AuditOrigin {
  return { address, userAgent, requestId: requestId === serverRequestId ? undefined : requestId, serverRequestId };
}
