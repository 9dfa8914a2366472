import type { Caller } from '../../access/caller.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { AnswerOptions, Operation } from '../backends/backend.js';
import type { Route } from '../backends/backends.service.js';
import type { RoutePlan } from '../backends/routing/route-plan.js';
import { boundedRequest } from './answer-bounds.js';
import type { CallContext, CallRecorder, Upstream } from './model-call.js';
import { NO_USAGE, UNASKED } from './usage-estimate.js';

/** Larger bounds mean nothing more, and not every server can read them. */
const LARGEST_BOUND = 2 ** 31 - 1;

interface MeteredCallParts {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly request: JsonObject;
  readonly context: CallContext;
  readonly plan: RoutePlan;
  readonly recorder: CallRecorder;
  /** What is known of the call before the upstream sees it. */
  readonly start: CallStart;
}

/** What an ended call has used, as far as it is known. */
export interface CallEnd {
  readonly outcome: Outcome;
  /** What the upstream has told of its usage when it is asked for; null: nothing that can be counted. */
  readonly told?: () => MeteredUsage | null;
  /** What its texts amount to, where the upstream told nothing; absent where no answer came that is charged. */
  readonly estimate?: () => Promise<MeteredUsage>;
}

/**
 * The life of one call of a model: it is recorded before the upstream is asked, sends nothing that could cost more than
 * it has reserved, and is settled exactly once, however it ends.
 */
export class MeteredCall implements Upstream {
  private beginning: Promise<OpenCall> | undefined;
  private open: OpenCall | undefined;
  private isAsked = false;
  private settlement: Promise<MeteredUsage> | undefined;

  constructor(private readonly parts: MeteredCallParts) {}

  /** Of its record. */
  get id(): string {
    return this.open?.id ?? '';
  }

  get isSettled(): boolean {
    return this.settlement !== undefined;
  }

  /**
   * Begins the record; resolves when it is durable. Where its caller's tokens are limited, what may be sent has the bound
   * that is reserved.
   * @returns what may be sent of the request
   * @throws as the recorder does
   */
  async begin(): Promise<JsonObject> {
    const { caller, operation, request, recorder, start } = this.parts;
    this.beginning = recorder.begin(caller, start);
    this.open = await this.beginning;
    if (!this.open.isLimited) return request;
    return boundedRequest(operation, request, Math.min(LARGEST_BOUND, Math.ceil(start.longestAnswer)));
  }

  run<T>(
    attempt: (route: Route, options: AnswerOptions) => Promise<T>,
    signal: AbortSignal = this.parts.context.signal,
  ): Promise<T> {
    const { caller, context, plan } = this.parts;
    this.isAsked = true;
    const options = { signal, callerId: caller.userId, key: context.byok, traceparent: this.open?.traceparent };
    return plan.run(signal, (route) => attempt(route, options));
  }

  /** Tells that a piece of a streamed answer has arrived; the first time counts. */
  answered(): void {
    this.open?.answered?.(this.parts.plan.askedBackendId);
  }

  /**
   * Settles the call; the first end counts. Resolves with its usage when the record is durable.
   * @throws Unavailable where it cannot be written in time; it is written later
   */
  settle(end: CallEnd): Promise<MeteredUsage> {
    this.settlement ??= this.record(end);
    return this.settlement;
  }

  private async record({ outcome, told, estimate }: CallEnd): Promise<MeteredUsage> {
    // It may be on its way still, where the call is left early.
    const open = await this.beginning?.catch(() => undefined);
    if (!open) return NO_USAGE;
    const usage = this.isAsked ? (told?.() ?? (await charge(open, estimate))) : UNASKED;
    await open.finish(usage, outcome, this.parts.plan.askedBackendId);
    return usage;
  }
}

/** What a call is charged for an estimate of its texts. */
async function charge(open: OpenCall, estimate: CallEnd['estimate']): Promise<MeteredUsage> {
  if (!estimate) return NO_USAGE;
  const usage = await estimate();
  return open.toCharge?.(usage) ?? usage;
}
