import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGone, Forbidden, PlatformError, Unavailable } from '../errors.js';
import { BYOK_HEADER } from '../access/caller.js';
import type { Authenticator, Credentials } from '../access/caller.js';
import type { Client, RequestIds } from '../access/client.js';
import { maskTokens } from '../access/mask-tokens.js';
import { OperationAdmission } from '../admission/operation-admission.js';
import type { AdmissionPorts } from '../admission/operation-admission.js';
import type { PresentedProof, Responders, Transport, RequestContext } from '../context.js';
import { Reply } from '../admission/reply.js';
import type { AccessRecord } from './access-log.js';
import { readByokKey } from './byok-headers.js';
import type { OpenRequests } from './open-requests.js';
import type { TransportSecurity } from './request-head.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What a request is called: by its client, where that has the right form, and by this server. */
export function requestIdsOf({ headers: { 'x-request-id': given } }: IncomingMessage): RequestIds {
  const isGiven = typeof given === 'string' && REQUEST_ID.test(given);
  return { requestId: isGiven ? maskTokens(given) : undefined, serverRequestId: randomUUID() };
}

/** What the client of a request calls itself. */
export function userAgentOf({ headers: { 'user-agent': given } }: IncomingMessage): string | undefined {
  return given === undefined ? undefined : maskTokens(given);
}

/** A token that did not verify may be that of an identity provider, which counts for public operations alone. */
function proofOf({ headers }: IncomingMessage, { credentialError }: Credentials): PresentedProof {
  const bearer = credentialError && /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return { bearer, signature: headers['x-sso-signature']?.toString(), cookie: headers.cookie };
}

/** How long a client may take to read the end of an answer whose session is over, so that it is closed within a second. */
const CLOSE_GRACE_MS = 750;

/** Cuts off who does not read the end of an answer. */
function destroyUnlessClosed(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), CLOSE_GRACE_MS).unref();
  response.once('close', () => clearTimeout(timer));
}

/** Makes the context of a request: who calls, from where, and for how long somebody waits. */
export class ContextFactory {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly security: TransportSecurity,
    private readonly open: OpenRequests,
    private readonly admission: AdmissionPorts,
    private readonly responders: Responders,
  ) {}

  /**
   * Verifies the credential and ties the request's signal to the connection, the session and the drain.
   * @throws Forbidden where a token must not travel, BadRequest for a key of a wrong form, Unavailable while draining
   */
  async create(
    transport: Transport,
    request: IncomingMessage,
    response: ServerResponse,
    { ids, timings }: Pick<AccessRecord, 'ids' | 'timings'>,
  ): Promise<RequestContext> {
    if (this.open.draining) throw new Unavailable('The server is shutting down. Please try again.');
    if (!this.security.isAcceptable(request)) throw new Forbidden('Tokens are accepted over TLS only.');
    const byok = request.headers[BYOK_HEADER] === undefined ? undefined : readByokKey(request.headers);
    const controller = new AbortController();
    this.open.add(controller);
    let unwatch: (() => void) | undefined;
    let leave = (): unknown => controller.abort(new ClientGone());
    response.once('close', () => {
      if (!response.writableFinished) leave();
      unwatch?.();
      this.open.remove(controller);
    });
    const client: Client = {
      ...ids,
      address: this.security.addressOf(request),
      userAgent: userAgentOf(request),
    };
    const credentials = { ...(await this.identify(request.headers.authorization, client)), byok };
    const { caller } = credentials;
    if (caller && !response.closed) {
      unwatch = this.authenticator.watch(caller, (reason) => {
        controller.abort(reason);
        destroyUnlessClosed(response);
      });
    }
    const reply = new Reply();
    const idempotencyKey = request.headers['idempotency-key']?.toString();
    const asked = { ...credentials, client, idempotencyKey, reply, controller };
    const admission = new OperationAdmission(this.admission, asked);
    leave = () => admission.leave();
    return {
      ...credentials,
      ...client,
      transport,
      signal: controller.signal,
      reply,
      proof: proofOf(request, credentials),
      timings,
      admission,
      responders: this.responders,
    };
  }

  private async identify(authorization: string | undefined, client: Client): Promise<Credentials> {
    if (authorization === undefined) return {};
    const serviceKeyId = this.authenticator.serviceKeyOf(authorization);
    if (serviceKeyId !== undefined) return { serviceKeyId };
    try {
      return { caller: { ...(await this.authenticator.verify(authorization)), client } };
    } catch (error) {
      // Told where a caller is needed; public operations do not care.
      if (error instanceof PlatformError) return { credentialError: error };
      throw error;
    }
  }
}
