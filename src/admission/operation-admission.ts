import type { Logger } from 'pino';
import { actorOf, unknownActor } from '../access/audit-actor.js';
import { hasPrivilege, requireAccess } from '../access/access-rule.js';
import type { AccessRule } from '../access/access-rule.js';
import type { Caller, Credentials, TenantUser } from '../access/caller.js';
import { requestIdOf } from '../access/client.js';
import type { Client } from '../access/client.js';
import { ClientGone, Forbidden, NotFound, Unauthorized } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { AuditRecorder } from '../platform/audit/audit-recorder.js';
import type { CallClaim } from './call-claim.js';
import { checkIdempotencyKey, isReplayable } from './idempotency.js';
import type { Idempotency } from './idempotency.js';
import { KeyedRun } from './keyed-run.js';
import type { ReplayRecorder } from './replay-recorder.js';
import type { Reply } from './reply.js';
import { toStoredJson } from './stored-response.js';
import type { StoredResponse } from './stored-response.js';

/** In which the denials of a user are counted together. */
const USER_DENIALS_SECONDS = 60;

/** Counts what a caller and its tenant may do; metering implements it. */
export interface RequestLimiter {
  /**
   * Counts a request, and puts the limit's headers on the reply.
   * @returns what takes it back, once; undefined where nothing is limited
   * @throws RateLimited; waiting as long as it says is enough
   */
  countRequest(caller: Caller, reply: Reply): Promise<(() => Promise<void>) | undefined>;
  /**
   * Takes the places of a stream; the returned function gives them back.
   * @throws RateLimited where the caller or its tenant has as many open as they may
   */
  openStream(owner: TenantUser): Promise<() => void>;
}

/** What admission stands on. */
export interface AdmissionPorts {
  readonly limiter: RequestLimiter;
  readonly idempotency: Idempotency;
  readonly streams: {
    /** Takes a place among all open streams of this process; the returned function gives it back. @throws Unavailable */
    openStream(): () => void;
  };
  readonly unattended: {
    /**
     * Takes a place for a call that goes on after its client has left; the returned function gives it back.
     * @param stop ends the call
     * @returns undefined where none is free
     */
    take(caller: Caller, stop: (reason: PlatformError) => void): (() => void) | undefined;
  };
  readonly log: Logger;
  readonly audit: Pick<AuditRecorder, 'recordRefusal'>;
}

/** What admission knows of a request. */
export interface AdmissionRequest extends Credentials {
  readonly client: Client;
  /** The Idempotency-Key as it came. */
  readonly idempotencyKey?: string;
  readonly reply: Reply;
  /** Of the operation alone: it stops when this is aborted. Required for an operation with an Idempotency-Key. */
  readonly controller?: AbortController;
  /** Called when the operation is over. */
  readonly over?: () => void;
}

/** What an operation asks for, as an Idempotency-Key stands for it. */
export interface ClaimedOperation {
  readonly method: string;
  readonly path: string;
  /** All that decides what it asks for beside its path. */
  readonly content: readonly unknown[];
  readonly rule: AccessRule;
}

/**
 * What one operation passes before it is executed, whatever its transport: access, the rate limit, the claim of its
 * Idempotency-Key, the place of its stream; and what is given back or stored when it ends. Made for one request.
 */
export class OperationAdmission {
  /** The errors that are recorded: the fields of a document are refused side by side. */
  private readonly recorded = new WeakSet<PlatformError>();
  /** The rule of a root field that was admitted before its execution. */
  private admittedAhead: AccessRule | undefined;
  /** What takes back the requests that were counted, for calls that are refused later. */
  private readonly refunds: (() => Promise<void>)[] = [];
  /** Of an operation that has claimed its key. */
  private run: KeyedRun | undefined;

  constructor(
    private readonly ports: AdmissionPorts,
    private readonly request: AdmissionRequest,
  ) {}

  /** Whether a caller sent an Idempotency-Key. */
  get hasKey(): boolean {
    return this.request.idempotencyKey !== undefined && this.request.caller !== undefined;
  }

  /** What the Idempotency-Key stands for; the record of the operation's call of a model takes it. */
  get callClaim(): CallClaim | undefined {
    return this.run?.attempt.callClaim;
  }

  /**
   * Admits the execution of a field: its access, and its count against the request limit.
   * @param field its name, which the audit log gets where it is refused
   * @throws Unauthorized, Forbidden, RateLimited
   */
  admit(rule: AccessRule, field: string): void | Promise<void> {
    if (this.admittedAhead === rule) {
      this.admittedAhead = undefined;
      return undefined;
    }
    const refused = this.authorize(rule, field);
    if (refused) return refused;
    return rule.rateLimited ? this.countRequest() : undefined;
  }

  /**
   * Requires that the request may use a field; that it may not is recorded before it is told.
   * @param field its name, which the audit log gets where it is refused
   * @returns undefined where it may: nobody waits for that
   * @throws Unauthorized, Forbidden
   */
  authorize(rule: AccessRule, field: string): Promise<never> | undefined {
    try {
      requireAccess(this.request, rule);
      return undefined;
    } catch (error) {
      return this.recordDenial(rule, field, error).then(() => {
        throw error;
      });
    }
  }

  /**
   * Records that somebody was refused what is for administrators or services alone, or what is another tenant's. Once for
   * each error, whoever tells of it; others are not recorded.
   */
  async recordDenial(rule: AccessRule, field: string, error: unknown): Promise<void> {
    if (!this.isDenial(rule, error) || this.recorded.has(error)) return;
    this.recorded.add(error);
    const { caller, client, credentialError } = this.request;
    const reason = isRevoked(credentialError) ? credentialError.message : error.message;
    const refusal = { tenantId: caller?.tenantId ?? null, action: 'access.deny', reason } as const;
    const target = { type: 'operation', id: field };
    await this.ports.audit.recordRefusal(
      caller ? actorOf(caller) : unknownActor(client),
      { ...refusal, target },
      caller ? USER_DENIALS_SECONDS : undefined,
    );
  }

  /** Their messages are written in the code, and name nobody. */
  private isDenial({ privilege, credential }: AccessRule, error: unknown): error is PlatformError {
    const { caller, credentialError } = this.request;
    if (error instanceof Forbidden) return privilege !== undefined;
    if (error instanceof Unauthorized && credential === 'service') return Boolean(caller ?? credentialError);
    if (error instanceof Unauthorized) return isRevoked(credentialError);
    // What is another tenant's does not exist for its administrators.
    return (
      error instanceof NotFound && caller !== undefined && privilege === 'admin' && !hasPrivilege(caller, 'sysadmin')
    );
  }

  /** Admits a root field before it is executed, where it is not admitted again: a body is read for nobody who may not send it. */
  async admitAhead(rule: AccessRule, field: string): Promise<void> {
    await this.admit(rule, field);
    this.admittedAhead = rule;
  }

  /** Takes the last request back from the limits that it was counted by: whoever is refused has used nothing. */
  async refundRateLimit(): Promise<void> {
    await this.refunds.pop()?.();
  }

  /**
   * Claims the Idempotency-Key of the request for an operation that was admitted; without a key nothing happens. Whoever
   * executes the operation calls `close` when it is over.
   * @returns the response of an earlier attempt, which is to be replayed
   * @throws BadRequest, IdempotencyConflict, Unavailable, the reason why the request is aborted
   */
  async claimKey({ rule, content, ...place }: ClaimedOperation): Promise<StoredResponse | undefined> {
    const { idempotencyKey, caller, byok, controller } = this.request;
    if (idempotencyKey === undefined || !caller || !controller || rule.stateless) return undefined;
    try {
      const attempt = this.ports.idempotency.attempt({
        caller,
        key: checkIdempotencyKey(idempotencyKey),
        ...place,
        content: [...content, byok],
        isCall: rule.metered !== undefined,
      });
      const replay = await attempt.begin(controller.signal);
      const takePlace = () => this.ports.unattended.take(caller, (reason) => controller.abort(reason));
      if (!replay) this.run = new KeyedRun(attempt, { takePlace, stop: () => controller.abort(new ClientGone()) });
      return replay;
    } catch (error) {
      await this.refundRateLimit();
      throw error;
    }
  }

  /**
   * Takes a place among the open streams of this process, of a user and of its tenant; the returned function gives
   * them back.
   * @param owner default: the caller
   * @throws Unavailable, RateLimited
   */
  async openStream(owner: TenantUser | undefined = this.request.caller): Promise<() => void> {
    const closes: (() => void)[] = [];
    try {
      closes.push(this.ports.streams.openStream());
      if (owner) closes.push(await this.ports.limiter.openStream(owner));
    } catch (error) {
      closes[0]?.();
      await this.refundRateLimit();
      throw error;
    }
    return () => closes.forEach((close) => close());
  }

  /** Copies a streamed response for replays; undefined where nobody may ask for it again. */
  record(headers: Readonly<Record<string, string>>): ReplayRecorder | undefined {
    return this.run?.record(headers);
  }

  /**
   * The client has left before the end of its answer. The operation is stopped, unless it is a call of a model with an
   * Idempotency-Key: that goes on, since whoever sends the key again gets its answer.
   * @returns whether it goes on
   */
  leave(): boolean {
    if (this.run) return this.run.leave();
    this.request.controller?.abort(new ClientGone());
    return false;
  }

  /** The operation is over, however it has ended: another attempt with its key may begin. */
  close(): void {
    this.run?.close();
    this.request.over?.();
  }

  /**
   * Stores the response for replays, before the client sees its end.
   * @param build makes what is stored, where a key was claimed; undefined is a response that is too large
   * @throws Unavailable where that is not recorded in time
   */
  async complete(build: () => StoredResponse | undefined): Promise<void> {
    await this.run?.attempt.store(build());
  }

  /** As `complete`, and never fails: what was made is told in any case. */
  async completeOrWarn(build: () => StoredResponse | undefined): Promise<void> {
    await this.orWarn(() => this.complete(build));
  }

  /** Frees the key: nothing was made, and the next attempt is the first again. Never fails. */
  async release(): Promise<void> {
    await this.orWarn(() => this.run?.attempt.release());
  }

  /**
   * Ends an operation that failed: an error that would come again is stored, otherwise the key is free. Never fails.
   * @returns the response of another attempt, which ended meanwhile and is to be replayed
   */
  async fail(error: PlatformError): Promise<StoredResponse | undefined> {
    // Whoever is refused has used nothing; where that was given back already, nothing is.
    if (error.status === 429) await this.refundRateLimit();
    if (error.code === 'idempotency_not_replayable') return this.orWarn(() => this.run?.attempt.find());
    if (!isReplayable(error.status)) await this.release();
    else await this.completeOrWarn(() => toStoredJson(error.status, error.headers, error.toBody()));
    return undefined;
  }

  private async countRequest(): Promise<void> {
    const { caller, reply } = this.request;
    const refund = caller && (await this.ports.limiter.countRequest(caller, reply));
    if (refund) this.refunds.push(refund);
  }

  private async orWarn<T>(end: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await end();
    } catch (error) {
      const log = this.ports.log.child({ request_id: requestIdOf(this.request.client) });
      log.warn({ err: error }, 'the end of an idempotent request is not recorded yet');
      return undefined;
    }
  }
}

function isRevoked(error: PlatformError | undefined): error is PlatformError {
  return error?.details.reason === 'token_revoked';
}
