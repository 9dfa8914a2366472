import type { RequestTimings } from '../platform/telemetry/request-timings.js';
import type { Area } from '../access/area.js';
import type { CallClaim } from '../admission/call-claim.js';

/** How a metered call ended. */
export type Outcome = 'completed' | 'cancelled' | 'failed';

/** What is reserved for an answer where neither the caller nor the model sets a bound. */
export const UNBOUND_COMPLETION_TOKENS = 4_096;

/** How much a model may read of a call. */
export interface PromptSize {
  /** Of its texts, in UTF-8 bytes. */
  readonly textBytes: number;
  /** Of the whole request as JSON, in UTF-8 bytes, without what is base64 of images and sounds. */
  readonly bytes: number;
  /** Tokens that are given as numbers; they are in `bytes`, three or more for each. */
  readonly tokens: number;
  readonly messages: number;
  /** Images, sounds and the like. */
  readonly mediaParts: number;
  /** Tokens that the backend keeps of the conversation and reads beside the request. */
  readonly contextTokens: number;
}

/** The sound of a call, as its quota is reserved. */
export interface AudioSize {
  /** Of what goes in: it is charged where the call is made. */
  readonly promptMilliseconds: number;
  /** Of what comes out, at most. */
  readonly answerMilliseconds: number;
}

/** What is known of a call before the upstream sees it. */
export interface CallStart {
  readonly area: Area;
  readonly requestId: string;
  /** The public name of the model. */
  readonly model: string;
  /** The id of the backend that is expected to answer. */
  readonly backend: string;
  readonly prompt: PromptSize;
  /** The most tokens that one answer may have, where the caller set a bound. */
  readonly maxTokens?: number;
  /** The same, or what the model can give at most. */
  readonly longestAnswer: number;
  /** Of the request that the call is made for. */
  readonly timings?: RequestTimings;
  /** Takes the request back from its limit; called where the call is refused. */
  readonly refundRateLimit?: () => Promise<void>;
  /** Of the request's Idempotency-Key. */
  readonly claim?: CallClaim;
  /** How many answers the call may give; 0 where it gives no tokens. */
  readonly answers: number;
  /** Absent where there is none. */
  readonly audio?: AudioSize | undefined;
}

/** What a call used. */
export interface MeteredUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** `exact`: the upstream's own numbers; `estimated`: counted here. */
  readonly precision: 'exact' | 'estimated';
  /** Decoded sound that went in or came out, always counted here, in whole seconds. Default: 0. */
  readonly audioMilliseconds?: number;
}

/** A call that has begun and must be finished exactly once; later calls of `finish` change nothing. */
export interface OpenCall {
  readonly id: string;
  /** The trace context that the model server is told (W3C), where there is one. */
  readonly traceparent?: string;
  /** What it holds of the quota until it is settled. */
  readonly reservedTokens?: number;
  /** Whether a limit of tokens is enforced for its caller: then the model server must hold the bound that is reserved. */
  readonly isLimited?: boolean;
  /**
   * What is charged for an estimate of its texts: what a model reads beside them is added, and the whole is never more
   * than what the call has reserved.
   */
  toCharge?(estimate: MeteredUsage): MeteredUsage;
  /** Tells that a piece of a streamed answer has arrived, and from which backend; the first time counts. */
  answered?(backend?: string): void;
  /**
   * Settles the call. `backend` is the id of the one that was asked last, where that is known. Resolves when the record is durable, which is before the client sees the end of the answer.
   * @throws Unavailable when it could not be written within 5 s; it stays queued and is written later
   */
  finish(usage: MeteredUsage, outcome: Outcome, backend?: string): Promise<void>;
}
