import type { Area } from '../../access/area.js';
import type { ByokKey, CallOwner } from '../../access/caller.js';
import type { RequestIds } from '../../access/client.js';
import type { CallClaim } from '../../admission/call-claim.js';
import type { AudioSize, CallStart, MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { RequestTimings } from '../../platform/telemetry/request-timings.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { AnswerOptions, Operation } from '../backends/backend.js';
import type { Route } from '../backends/backend-registry.js';
import type { StreamCodec } from '../streaming/stream-codec.js';
import type { ConversationMemory } from './conversation-memory.js';
import type { TextTransform } from './text-transform.js';

/** What a call needs to know of the request that it is made for. */
export interface CallContext extends RequestIds {
  /** Ends the call, in whatever phase. */
  readonly signal: AbortSignal;
  /** The caller's own key for the company behind the backend. */
  readonly byok?: ByokKey;
  /** Where the call's time is added to that of its request. */
  readonly timings?: RequestTimings;
  /** Called when the record of the call is durable; must not throw. */
  readonly begun?: () => void;
  /** What the request has passed; absent where no request waits. */
  readonly admission?: {
    readonly callClaim: CallClaim | undefined;
    refundRateLimit(): Promise<void>;
  };
}

/** One call of a model. */
export interface ModelCall {
  /** What it counts as in usage reports. */
  readonly area: Area;
  /** The body in the form of its operation, chat by default, with all of its input; `model` is the public name. */
  readonly request: JsonObject;
  readonly context: CallContext;
  /**
   * What changes the texts of this call, beside what changes those of every call; null: nothing at all, since its texts
   * were changed already (`Models.transformOf`).
   */
  readonly transforms?: readonly TextTransform[] | null;
  /** What transforms remember of the conversation that the call belongs to, where the server keeps it. */
  readonly memory?: ConversationMemory;
}

/** What more a model reads of a call than its request. */
export interface CallSizing {
  /** In how many parts the input is sent; the rest of the request goes with each. Default: 1. */
  readonly batches?: number;
  /** Tokens that its backend keeps and reads beside the request. */
  readonly contextTokens?: number | undefined;
  /** The sound of the call. */
  readonly audio?: AudioSize | undefined;
  /** Tokens of an answer whose length the request does not bound. */
  readonly longestAnswer?: number | undefined;
}

/** The way of a call to the instances that may answer it. */
export interface Upstream {
  /**
   * Runs an attempt, up to the head of an answer, on one instance after another until one answers.
   * @param signal in place of the call's own
   * @throws what the attempt throws where no other instance may be asked; Unavailable
   */
  run<T>(attempt: (route: Route, options: AnswerOptions) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** One request and its answer, in the form of one operation: made for one call. */
export interface Exchange {
  /** The request as it is reserved and estimated. */
  readonly request: JsonObject;
  readonly sizing?: CallSizing;
  /**
   * Asks for a whole answer.
   * @param body what may be sent of the request: the same, or with the bound that is reserved
   * @param signal of the call
   * @throws PlatformError, also where the answer makes no sense, or the reason of the signal
   */
  ask(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<JsonObject>;
  /** The answer as the client gets it, once it is recorded. */
  finish(answer: JsonObject, callId: string, usage: MeteredUsage): JsonObject | Promise<JsonObject>;
  /** What an answer says of itself; default: it is completed. */
  outcomeOf?(answer: JsonObject): Outcome;
  /** What the server told of the call's usage; default: its `usage`. */
  reportedUsage?(answer: JsonObject): MeteredUsage | null;
  /** What the texts of the call amount to; default: those of the forms that chat, completions and responses have. */
  estimate?(answer: JsonObject): Promise<MeteredUsage>;
  /** The sound that an answer says was heard, in milliseconds; default: all that was reserved for the prompt. */
  heardMilliseconds?(answer: JsonObject): number | undefined;
  /** Changes in place what a model wrote in an answer; default: every text of it, each for itself. */
  transformAnswer?(answer: JsonObject, transform: TextTransform): Promise<void>;
}

/** An exchange whose answer is streamed. */
export interface StreamExchange<T> extends Exchange {
  /** How the answer is read; called once, before it is opened. */
  createCodec(): StreamCodec<T>;
  /**
   * Opens the answer.
   * @param signal ends it, in whatever phase
   * @throws as `ask` does
   */
  open(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<ByteSource>;
}

/** How calls of one operation are made. */
export interface ExchangeType<E extends Exchange> {
  readonly operation: Operation;
  /** Checks the body that a client sent. @throws BadRequest that names the field */
  check?(body: unknown): void;
  /** The id of the backend that alone will do, because it keeps what is to be continued. */
  readonly instance?: string | undefined;
  /**
   * Begins an exchange.
   * @param request what is sent of the call's request
   * @param route an instance that may answer; all of them serve the same model
   * @throws Conflict `capability_not_supported` where a field would be lost on the way
   */
  create(request: JsonObject, route: Route): E;
}

/** Where calls are recorded. */
export interface CallRecorder {
  /** @throws Unavailable where nothing can be recorded */
  begin(caller: CallOwner, start: CallStart): Promise<OpenCall>;
}
