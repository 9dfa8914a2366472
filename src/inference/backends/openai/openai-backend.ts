import type { Logger } from 'pino';
import { BadRequest, BadUpstream, Conflict } from '../../../errors.js';
import type { ByteSource } from '../../../platform/net/egress.js';
import { TEXT_JSON, TRUSTED_TEXT_JSON, VECTOR_JSON } from '../../streaming/json-limits.js';
import type { JsonLimits } from '../../../platform/json/json-depth.js';
import type { PcmSource, SpeechRequest, TranscriptionRequest } from '../../speech/engine.types.js';
import type { AnswerOptions, Capability, TextOperation } from '../backend.js';
import type { OpenaiSettings } from '../backend-settings.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { ServerBackend } from '../server-backend.js';
import type { ServerOptions } from '../server-backend.js';
import { ListedModels } from './listed-models.js';
import { ServerAudio } from './server-audio.js';
import { mediaType } from './server-calls.js';
import type { ServerMessage } from './server-calls.js';
import { errorOfEvent } from './upstream-errors.js';
import { toUpstreamBody } from './upstream-body.js';

/** Of a whole answer: what it holds in memory is many times as much, and nothing else runs while it is parsed. */
const TEXT_LIMITS = { bytes: 16 * 1024 * 1024, milliseconds: 300_000 };
const VECTOR_LIMITS = { ...TEXT_LIMITS, bytes: 64 * 1024 * 1024 };
/** Of all whole answers of a tenant's own server that are being read. */
const TENANT_BUFFERED_BYTES = 64 * 1024 * 1024;

/** One of them is in every answer. */
const ANSWER_MEMBERS = ['choices', 'data', 'output', 'results'];

const PATHS: Readonly<Record<TextOperation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  rerank: '/rerank',
};

/** A model server that speaks the widely used chat-completions interface: vLLM, llama.cpp, Ollama and others. */
export class OpenaiBackend extends ServerBackend {
  readonly kind = 'openai';
  readonly supports: readonly Capability[];
  private readonly textLimits: JsonLimits;
  private readonly audio: ServerAudio;

  /** Starts to ask for health and models in the background. */
  constructor(settings: OpenaiSettings, log: Logger, options: ServerOptions = {}) {
    const list = new ListedModels(settings, options.name ?? settings.id);
    const isOwn = (options.tenantId ?? null) !== null;
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(settings.api_key !== undefined && { authorization: `Bearer ${settings.api_key}` }),
    };
    // Nobody vouches for a tenant's own server: it may not fill the memory of all.
    const bufferedBytes = isOwn ? TENANT_BUFFERED_BYTES : undefined;
    super({ settings, options, headers, bufferedBytes, list, models: list.configured }, log);
    this.supports = settings.supports;
    this.textLimits = isOwn ? TEXT_JSON : TRUSTED_TEXT_JSON;
    const { calls, health, failures } = this;
    this.audio = new ServerAudio({ calls, health, failures, json: this.textLimits });
  }

  async answer(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<JsonObject> {
    const response = await this.calls.post(operation, this.toMessage(operation, body), options, 'whole');
    const isVectors = operation === 'embeddings';
    const limits = isVectors
      ? { read: VECTOR_LIMITS, json: VECTOR_JSON }
      : { read: TEXT_LIMITS, json: this.textLimits };
    return requireAnswer(await this.calls.readObject(operation, response, options, limits));
  }

  async answerStream(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<ByteSource> {
    const { callerId } = options;
    const response = await this.calls.post(operation, this.toMessage(operation, body), options, 'stream');
    if (/^text\/event-stream\b/i.test(mediaType(response))) {
      this.health.answered(operation, callerId);
      return this.calls.scrubbed(response, options);
    }
    response.body.cancel();
    throw this.failures.failed(
      operation,
      callerId,
      new BadUpstream('The answer of the model server is not an event stream.'),
    );
  }

  transcribe(request: TranscriptionRequest, options: AnswerOptions): Promise<JsonObject> {
    return this.audio.transcribe(request, options);
  }

  speak(request: SpeechRequest, options: AnswerOptions): Promise<PcmSource> {
    return this.audio.speak(request, options);
  }

  /** It has no such endpoint: its chat models are asked to. */
  async translate(): Promise<never> {
    throw new Conflict('capability_not_supported', 'The model is no translation engine.', 'model');
  }

  private toMessage(operation: TextOperation, body: JsonObject): ServerMessage {
    return { path: PATHS[operation], body: encode(toUpstreamBody(operation, body, this.supports)) };
  }
}

/** @throws PlatformError where a server says with status 200 that it failed */
function requireAnswer(answer: JsonObject): JsonObject {
  const isError = (answer.error ?? null) !== null || answer.object === 'error';
  if (!isError || ANSWER_MEMBERS.some((name) => (answer[name] ?? null) !== null)) return answer;
  throw errorOfEvent(answer.error ?? answer);
}

/** @throws BadRequest where the body is nested deeper than can be written */
function encode(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest('The body is nested too deeply.');
    throw error;
  }
}
