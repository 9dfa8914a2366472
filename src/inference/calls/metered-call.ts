import type { Area } from '../../access/area.js';
import type { CallOwner } from '../../access/caller.js';
import { requestIdOf } from '../../access/client.js';
import { UNBOUND_COMPLETION_TOKENS } from '../../metering/metering.types.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome, PromptSize } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { AnswerOptions, Operation } from '../backends/backend.js';
import type { Route } from '../backends/backend-registry.js';
import type { RoutePlan } from '../backends/routing/route-planner.js';
import { countAnswers, boundedRequest, boundsOf, longestAnswerOf, maxTokensOf } from './answer-bounds.js';
import type { CallContext, CallRecorder, CallSizing, Upstream } from './model-call.js';
import { contentOf } from './prompt.js';
import { NO_USAGE, UNASKED } from './usage.js';

/** Larger bounds mean nothing more, and not every server can read them. */
const LARGEST_BOUND = 2 ** 31 - 1;

interface MeteredCallParts {
  readonly caller: CallOwner;
  readonly area: Area;
  readonly operation: Operation;
  readonly request: JsonObject;
  readonly sizing?: CallSizing;
  readonly context: CallContext;
  readonly plan: RoutePlan;
  readonly recorder: CallRecorder;
}

/** What an ended call has used, as far as it is known. */
export interface CallEnd {
  readonly outcome: Outcome;
  /** What the upstream has told of its usage when it is asked for; null: nothing that can be counted. */
  readonly reportedUsage?: () => MeteredUsage | null;
  /** What its texts amount to, where the upstream told nothing; absent where no answer came that is charged. */
  readonly estimate?: () => Promise<MeteredUsage>;
  /** Of the sound that is charged. Default: 0. */
  readonly audioMilliseconds?: number;
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
    const { caller, operation, request, recorder, context } = this.parts;
    const start = buildCallStart(this.parts);
    this.beginning = recorder.begin(caller, start);
    this.open = await this.beginning;
    context.begun?.();
    if (!this.open.isLimited) return request;
    return boundedRequest(operation, request, Math.min(LARGEST_BOUND, Math.ceil(start.longestAnswer)));
  }

  run<T>(
    attempt: (route: Route, options: AnswerOptions) => Promise<T>,
    signal: AbortSignal = this.parts.context.signal,
  ): Promise<T> {
    const { caller, context, plan } = this.parts;
    const sent = (): void => void (this.isAsked = true);
    const { tenantId, userId: callerId } = caller;
    const options = { signal, callerId, tenantId, key: context.byok, traceparent: this.open?.traceparent, sent };
    return plan.run(signal, (route) => {
      // What waits for a place or a connection when it is left was read by nobody.
      if (route.backend.tellsSent !== true) sent();
      return attempt(route, options);
    });
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

  private async record({ outcome, reportedUsage, estimate, audioMilliseconds }: CallEnd): Promise<MeteredUsage> {
    // It may be on its way still, where the call is left early.
    const open = await this.beginning?.catch(() => undefined);
    if (!open) return NO_USAGE;
    const told = this.isAsked ? (reportedUsage?.() ?? (await charge(open, estimate))) : UNASKED;
    const usage = this.isAsked && audioMilliseconds ? { ...told, audioMilliseconds } : told;
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

/** What is known of a call before the upstream sees it. */
function buildCallStart({ area, operation, request, sizing = {}, plan, context }: MeteredCallParts): CallStart {
  const { backend, model } = plan.expected;
  const { timings, admission } = context;
  const { batches = 1, contextTokens = 0, longestAnswer, audio } = sizing;
  const maxTokens = maxTokensOf(operation, request);
  const bounds = boundsOf(request);
  return {
    area,
    requestId: requestIdOf(context),
    timings,
    model: model.id,
    backend: backend.id,
    prompt: { ...sizeOf(request, batches), contextTokens },
    ...(maxTokens !== undefined && { maxTokens }),
    longestAnswer:
      longestAnswer ?? longestAnswerOf(operation, request, model.maxTokens ?? UNBOUND_COMPLETION_TOKENS, bounds),
    claim: admission?.callClaim,
    refundRateLimit: admission && (() => admission.refundRateLimit()),
    answers: longestAnswer === undefined ? countAnswers(operation, request, bounds) : 1,
    ...(audio && { audio }),
  };
}

/** How much a model may read of a request, of which all but the input goes with each batch. */
function sizeOf(request: JsonObject, batches: number): Omit<PromptSize, 'contextTokens'> {
  const { texts, tokens, shortTokens, messages, mediaParts, mediaBytes } = contentOf(request);
  const size = {
    textBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    bytes: Buffer.byteLength(JSON.stringify(request)) - mediaBytes + shortTokens,
    tokens,
    messages,
    mediaParts,
  };
  if (batches <= 1) return size;
  const repeated = sizeOf({ ...request, input: '' }, 1);
  const more = batches - 1;
  return {
    ...size,
    textBytes: size.textBytes + more * repeated.textBytes,
    bytes: size.bytes + more * repeated.bytes,
  };
}
