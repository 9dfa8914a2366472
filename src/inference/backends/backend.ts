import type { ByokKey } from '../../access/caller.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { CircuitBreaker } from './health/circuit-breaker.js';
import type { LoadBalancingCandidate } from './routing/instance-choice.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { EngineTranslation, TranslationRequest, TranslationTraits } from '../translation/engine.types.js';
import type { AudioTraits, PcmSource, SpeechRequest, TranscriptionRequest } from '../speech/engine.types.js';

/** What a backend can do, as the configuration and `GET /v1/backends` name it. */
export const CAPABILITIES = [
  'chat',
  'chat_developer',
  'completions',
  'responses',
  'responses_store',
  'embeddings',
  'embeddings_base64',
  'rerank',
  'translate',
  'transcribe',
  'speech',
] as const;

/** One of the things that a backend can do. */
export type Capability = (typeof CAPABILITIES)[number];

/** What more than usual a backend can do when it is asked for something. */
type Extra = 'chat_developer' | 'responses_store' | 'embeddings_base64';

/** What can be asked of a backend; each is also the capability that it needs. */
export type Operation = Exclude<Capability, Extra>;

/** Those that are asked with a JSON body and answered with texts or vectors. */
export type TextOperation = Exclude<Operation, 'translate' | 'transcribe' | 'speech'>;

/** How one call of a backend is made. */
export interface AnswerOptions {
  /** Ends the call, in whatever phase. */
  readonly signal: AbortSignal;
  readonly key?: ByokKey;
  /** The id of the user who asks: a failure that is one caller's own says little of the server. */
  readonly callerId: string;
  readonly tenantId: string;
  /** The trace that the call belongs to (W3C Trace Context). */
  readonly traceparent?: string;
  /** Called by backends that tell it (`tellsSent`) when a request goes out; must not throw. */
  readonly sent?: () => void;
}

/** A model as one backend serves it. */
export interface ServedModel {
  /** The public name. */
  readonly id: string;
  /** The name that the backend knows it by. */
  readonly upstream: string;
  /** The longest answer that it gives, where that is configured; calls without a bound of their own reserve so many tokens. */
  readonly maxTokens?: number | undefined;
  /** Unix seconds. */
  readonly created: number;
  readonly ownedBy: string;
  readonly capabilities: readonly Capability[];
  /** What it takes and gives of sound; absent where it does neither `transcribe` nor `speech`. */
  readonly audio?: AudioTraits | undefined;
  /** What it translates; absent where it is no translation engine. */
  readonly translation?: TranslationTraits | undefined;
}

/** Something that answers for models: a model server, or this process itself. */
export interface Backend extends LoadBalancingCandidate {
  readonly id: string;
  /** What people call it; the same as the id where it comes from the configuration. */
  readonly name: string;
  /** The tenant that it serves alone; null: all of them. */
  readonly tenantId: string | null;
  /** Which software or company answers; `openai` stands for any compatible server. */
  readonly provider: string;
  readonly kind: 'openai' | 'libretranslate' | 'builtin';
  readonly supports: readonly Capability[];
  /** Whether it tells by `AnswerOptions.sent` when a request goes out; otherwise one is as soon as the backend is asked. */
  readonly tellsSent?: boolean;
  /** Whether callers may bring their own key. */
  readonly takesKeys: boolean;
  /** Calls that it takes at once; undefined: as many as come. */
  readonly maxConcurrency: number | undefined;
  /** Whether it answers, and none of its circuits is open. */
  readonly healthy: boolean;
  /** Whether it could be connected to, and its last probe went well. */
  readonly reachable: boolean;
  /** Whether it has left one probe without an answer, and nothing else is known against it; undefined: it has none. */
  readonly isLate?: boolean;
  /** Tells what may be sent next; each operation has its own, since a server may fail at one alone. */
  circuit(operation: Operation): Pick<CircuitBreaker, 'state' | 'pausedUntil'>;
  /** Of the last successful probe; null before it. */
  readonly latencyMilliseconds: number | null;
  /** Calls that are being answered. */
  readonly inFlight: number;
  /** False while a backend that has to be asked for its models has never answered. */
  readonly modelsKnown: boolean;
  /** Those that are known; empty before they are. */
  readonly models: readonly ServedModel[];
  /** Asks for the models again, at most once a second; never fails. A backend with fixed models does nothing. */
  refresh(): Promise<void>;
  /**
   * A whole answer.
   * @param body with the upstream's name of the model
   * @throws PlatformError, marked where another backend may be asked (`attemptFailureOf`), or the reason of the signal
   */
  answer(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<JsonObject>;
  /**
   * An answer as the bytes of a `text/event-stream`; resolves when its head is there.
   * @param body with the upstream's name of the model, and `stream` set
   * @throws as `answer` does
   */
  answerStream(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<ByteSource>;
  /**
   * What is said in a recording, in the form of OpenAI's `verbose_json` as far as the engine goes.
   * @throws as `answer` does
   */
  transcribe(request: TranscriptionRequest, options: AnswerOptions): Promise<JsonObject>;
  /**
   * A text as sound; resolves when the first samples are there.
   * @throws as `answer` does; Conflict `capability_not_supported` or BadRequest where the engine has no such voice
   */
  speak(request: SpeechRequest, options: AnswerOptions): Promise<PcmSource>;
  /**
   * Texts in another language, one for each, in their order.
   * @throws as `answer` does; Conflict `capability_not_supported` where it translates nothing
   */
  translate(request: TranslationRequest, options: AnswerOptions): Promise<readonly EngineTranslation[]>;
  /** Ends every call and every connection. */
  close(): Promise<void>;
  /** Ends every connection when the calls are over; until then they go on. Never fails. */
  retire(): Promise<void>;
}
