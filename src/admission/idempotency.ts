import type { Caller } from '../access/caller.js';
import { BadRequest } from '../errors.js';
import type { CallClaim } from './call-claim.js';
import type { StoredResponse } from './stored-response.js';

const KEY = /^[\x20-\x7e]{16,255}$/;
/** Statuses that tell of the moment and not of the request. */
const TRANSIENT_STATUSES = new Set([408, 409, 429, 499]);

/** What an Idempotency-Key was sent with. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** All that decides what the request asks for beside its path. */
  readonly content: readonly unknown[];
  /** Whether the operation is a call of a model, whose record takes the claim; otherwise the attempt claims by itself. */
  readonly isCall: boolean;
}

/** One attempt at what an Idempotency-Key stands for. */
export interface IdempotencyAttempt {
  /** For the record of the call of a model that is made; undefined where the attempt claims the key by itself. */
  readonly callClaim: CallClaim | undefined;
  /**
   * The response of an earlier attempt; undefined where this one is the first. Where that is a call of a model whose client
   * has left, its answer is waited for.
   * @param signal ends the wait
   * @throws IdempotencyConflict, Unavailable, the reason of the signal
   */
  begin(signal: AbortSignal): Promise<StoredResponse | undefined>;
  /** The response of an attempt that ended while this one began. */
  find(): Promise<StoredResponse | undefined>;
  /**
   * Stores the response, before the client sees its end. An undefined one is too large, and can only be refused again.
   * @throws Unavailable where that is not recorded in time
   */
  store(response: StoredResponse | undefined): Promise<void>;
  /** Nothing was made: the next attempt is the first again. */
  release(): Promise<void>;
  /** Its client has left, and it goes on: others wait for its answer from now on. */
  leave(): void;
  /** The attempt is over, however it has ended: the next one begins. */
  close(): void;
}

/** Makes attempts; metering implements it. */
export interface Idempotency {
  attempt(request: IdempotentRequest): IdempotencyAttempt;
}

/** @throws BadRequest where it has not the right form */
export function checkIdempotencyKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 16 to 255 printable ASCII characters.', 'Idempotency-Key');
}

/** Whether an error response may be replayed: one that tells of the request, not of the moment. */
export function isReplayable(status: number): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}
