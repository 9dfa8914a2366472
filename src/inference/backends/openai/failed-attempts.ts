import type { PlatformError } from '../../../errors.js';
import type { OriginResponse } from '../../../platform/net/egress.js';
import type { AnswerOptions, Operation } from '../backend.js';
import type { ServerHealth } from '../health/server-health.js';
import { retryable } from '../routing/attempt-failure.js';
import type { KeyScrubber } from './key-scrubber.js';
import { refusedKey, retrySecondsOf, toRefusal, wasNotSent } from './upstream-errors.js';

/** Of an answer that is an error. */
const ERROR_LIMITS = { bytes: 1024 * 1024, milliseconds: 10_000 };

/** What a server answers to a key that it does not take, or whose account has nothing left. */
const KEY_REFUSALS = new Set([401, 402, 403]);

/** Makes errors of the attempts at a server that failed: what the caller is told, and what the server's health learns. */
export class FailedAttempts {
  /** @param secrets what the server may not tell of what it was sent */
  constructor(
    private readonly health: ServerHealth,
    private readonly secrets: KeyScrubber,
  ) {}

  /** The error for an answer whose status is not 200. Never fails. */
  async refused(
    operation: Operation,
    response: OriginResponse,
    { key, callerId }: AnswerOptions,
  ): Promise<PlatformError> {
    const { status } = response;
    const body = this.secrets.with(key?.apiKey).scrub(await readOrEmpty(response));
    // It is the key that is refused or has used up its limit, and not the server that is at fault.
    if (key && KEY_REFUSALS.has(status)) return refusedKey();
    const { error, fault } = toRefusal(response, body);
    switch (fault) {
      case 'request':
        this.health.answered(operation, callerId);
        return error;
      case 'busy':
        if (!key) this.health.busy(operation, retrySecondsOf(error));
        return retryable(error, 'refused');
      case 'doubtful':
        if (status === 500) this.health.failedFor(operation, callerId, 'HTTP 500');
        return retryable(error, 'rejected');
      case 'account':
        this.health.failedFor(operation, callerId, `HTTP ${status}`);
        return retryable(error, 'failed');
      case 'server':
        this.health.failedFor(operation, callerId, `HTTP ${status}`);
        return retryable(error, 'doubtful');
    }
  }

  /** The error for an attempt that got no byte of an answer: only what was not sent cannot be the request's fault. */
  failed<E extends PlatformError>(operation: Operation, callerId: string, error: E): E {
    if (wasNotSent(error)) {
      this.health.notConnected(operation, error);
      return retryable(error, 'refused');
    }
    this.health.failedFor(operation, callerId, error);
    return retryable(error, 'doubtful');
  }
}

/** The body of an error; where it is cut, late or long, its status says enough. */
function readOrEmpty({ body }: OriginResponse): Promise<Buffer> {
  return body.readAll(ERROR_LIMITS).catch(() => Buffer.alloc(0));
}
