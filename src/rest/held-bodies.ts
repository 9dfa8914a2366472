import type { ServerResponse } from 'node:http';
import { TooMuchAtOnce, Unavailable } from '../errors.js';
import { SharedBudget } from '../platform/async/shared-budget.js';
import type { BudgetOwner } from '../platform/async/shared-budget.js';
import type { Gauge } from '../platform/telemetry/metrics.js';

/** Smaller bodies are not counted: a head may be as large, and most requests are not worth the time. */
const SMALL_BYTES = 16 * 1024;
const RETRY_SECONDS = 1;

/** Memory for the body of one request. */
export interface BodyMemory {
  /** Takes what the body may need, before any of it is read. @throws TooMuchAtOnce, Unavailable where there is no room */
  take(bytes: number): void;
  /** Gives back what the body turned out not to need. */
  shrink(bytes: number): void;
}

/** The memory for JSON bodies of callers: each takes its own until its request is answered, since the call works with it. */
export class HeldBodies {
  private readonly budget: SharedBudget;

  /**
   * @param most bytes of all bodies: half of them of one tenant, a quarter of one user
   * @param largest bytes of one body, for which there is always room
   */
  constructor(
    private readonly most: number,
    largest: number,
  ) {
    const user = Math.max(Math.floor(most / 4), largest);
    const tenant = Math.max(Math.floor(most / 2), user);
    this.budget = new SharedBudget({ all: Math.max(most, tenant), tenant, user });
  }

  /** What is held, for the metrics. */
  get gauge(): Gauge {
    return {
      name: 'platform_json_body_bytes',
      help: `JSON bodies of requests in progress, of ${this.most} bytes at most.`,
      labels: [],
      read: () => [{ value: this.budget.held }],
    };
  }

  /** For a request of a caller; all of it is given back when its response is over. */
  open(caller: BudgetOwner, response: ServerResponse): BodyMemory {
    let held = 0;
    const give = (bytes: number): void => {
      held -= bytes;
      this.budget.release(caller, bytes);
    };
    return {
      take: (bytes) => {
        if (bytes <= SMALL_BYTES || response.closed) return;
        const full = this.budget.take(caller, bytes);
        if (full) throw refusalOf(full);
        held += bytes;
        response.once('close', () => give(held));
      },
      shrink: (bytes) => {
        if (held > bytes) give(held - bytes);
      },
    };
  }
}

function refusalOf(full: 'user' | 'tenant' | 'all'): Error {
  const wait = 'Please wait until some of them are answered.';
  if (full === 'user')
    return new TooMuchAtOnce(`Your requests in progress have too much content. ${wait}`, RETRY_SECONDS);
  if (full === 'tenant')
    return new TooMuchAtOnce(`Requests of your organization in progress have too much content. ${wait}`, RETRY_SECONDS);
  return new Unavailable('Too many large requests are in progress. Please try again.', RETRY_SECONDS);
}
