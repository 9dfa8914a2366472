import type { ByteSource } from '../platform/egress.js';
import type { JsonObject } from './json.types.js';

/** What a backend can do, as the configuration and `GET /v1/backends` name it. */
export const CAPABILITIES = [
  'chat',
  'completions',
  'responses',
  'responses_store',
  'embeddings',
  'rerank',
  'translate',
  'transcribe',
  'speech',
] as const;

/** One of the things that a backend can do. */
export type Capability = (typeof CAPABILITIES)[number];

/** A model as one backend serves it. */
export interface ServedModel {
  /** The public name. */
  readonly id: string;
  /** The name that the backend knows it by. */
  readonly upstream: string;
  /** Unix seconds. */
  readonly created: number;
  readonly ownedBy: string;
  readonly capabilities: readonly Capability[];
}

/** Something that answers for models: a model server, or this process itself. */
export interface Backend {
  readonly id: string;
  /** Which software or company answers; `openai` stands for any compatible server. */
  readonly provider: string;
  readonly kind: 'openai' | 'builtin';
  readonly supports: readonly Capability[];
  /** What the last probe or call showed. */
  readonly healthy: boolean;
  /** Of the last successful probe; null before it. */
  readonly latencyMilliseconds: number | null;
  /** Calls that are being answered. */
  readonly inFlight: number;
  /** False while a backend that has to be asked for its models has never answered. */
  readonly modelsKnown: boolean;
  models(): readonly ServedModel[];
  /** Asks for the models again, at most once a second; never fails. A backend with fixed models does nothing. */
  refresh(): Promise<void>;
  /**
   * A whole chat completion.
   * @param body with the upstream's name of the model
   * @throws PlatformError, or the reason of the signal
   */
  chat(body: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * A chat completion as the bytes of a `text/event-stream` that ends with `data: [DONE]`.
   * @param body with the upstream's name of the model, and `stream` set
   * @throws PlatformError, or the reason of the signal
   */
  chatStream(body: JsonObject, signal: AbortSignal): Promise<ByteSource>;
  close(): Promise<void>;
}
