import type { Logger } from 'pino';
import { BadRequest, BadUpstream, Conflict } from '../../../errors.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import { Origin } from '../../../platform/net/egress.js';
import type { ByteSource } from '../../../platform/net/egress.js';
import { TEXT_JSON, TRUSTED_TEXT_JSON, VECTOR_JSON } from '../../streaming/json-limits.js';
import type { JsonLimits } from '../../../platform/json/json-depth.js';
import type { PcmSource, SpeechRequest, TranscriptionRequest } from '../../speech/engine.types.js';
import type { AnswerOptions, Backend, Capability, Operation, ServedModel, TextOperation } from '../backend.js';
import type { OpenaiSettings } from '../backend-settings.js';
import type { CircuitBreaker } from '../health/circuit-breaker.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { KeyScrubber } from './key-scrubber.js';
import { ServerHealth } from '../health/server-health.js';
import { ServerProbe } from '../health/server-probe.js';
import { ListedModels } from './listed-models.js';
import { FailedAttempts } from './failed-attempts.js';
import { ServerAudio } from './server-audio.js';
import { mediaType, ServerCalls } from './server-calls.js';
import type { ServerMessage } from './server-calls.js';

/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;

/** Of a whole answer: what it holds in memory is many times as much, and nothing else runs while it is parsed. */
const TEXT_LIMITS = { bytes: 16 * 1024 * 1024, milliseconds: 300_000 };
const VECTOR_LIMITS = { ...TEXT_LIMITS, bytes: 64 * 1024 * 1024 };
/** Of all whole answers of a tenant's own server that are being read. */
const TENANT_BUFFERED_BYTES = 64 * 1024 * 1024;

const PATHS: Readonly<Record<TextOperation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  rerank: '/rerank',
};

/** Whose a backend is, and who wants to know how it does. */
export interface OpenaiBackendOptions {
  /** Default: the id. */
  readonly name?: string;
  /** The tenant that it serves alone; default: none. */
  readonly tenantId?: string | null;
  /** Where connections may go; default: anywhere. */
  readonly rule?: EgressRule;
  /** Called when the backend has become healthy, or is not any more. */
  readonly healthChanged?: (backend: Backend) => void;
}

/** A model server that speaks the widely used chat-completions interface: vLLM, llama.cpp, Ollama and others. */
export class OpenaiBackend implements Backend {
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly provider: string;
  readonly kind = 'openai';
  readonly weight: number;
  readonly priority: number;
  readonly takesKeys: boolean;
  readonly maxConcurrency: number | undefined;
  readonly supports: readonly Capability[];
  private readonly textLimits: JsonLimits;
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly probe: ServerProbe;
  private readonly health: ServerHealth;
  private readonly failures: FailedAttempts;
  private readonly calls: ServerCalls;
  private readonly audio: ServerAudio;

  /** Starts to ask for health and models in the background. */
  constructor(
    settings: OpenaiSettings,
    private readonly log: Logger,
    options: OpenaiBackendOptions = {},
  ) {
    this.id = settings.id;
    this.name = options.name ?? settings.id;
    this.tenantId = options.tenantId ?? null;
    this.provider = settings.provider;
    this.weight = settings.weight;
    this.priority = settings.priority;
    this.takesKeys = settings.byok;
    this.maxConcurrency = settings.max_concurrency;
    this.supports = settings.supports;
    this.textLimits = this.tenantId === null ? TRUSTED_TEXT_JSON : TEXT_JSON;
    this.gate = new ConcurrencyGate({ max: settings.max_concurrency, queue: settings.queue });
    this.origin = new Origin({
      baseUrl: settings.base_url,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(settings.api_key !== undefined && { authorization: `Bearer ${settings.api_key}` }),
        ...settings.headers,
      },
      // One is the probe's: a server that is full is not one that does not answer.
      maxConnections: (settings.max_concurrency ?? CONNECTIONS) + 1,
      timeoutSeconds: settings.timeout_seconds,
      caFile: settings.ca_file,
      rule: options.rule,
      // Nobody vouches for a tenant's own server: it may not fill the memory of all.
      ...(this.tenantId !== null && { bufferedBytes: TENANT_BUFFERED_BYTES }),
    });
    this.health = new ServerHealth({
      id: this.id,
      log,
      changed: () => options.healthChanged?.(this),
      probe: () => this.probe.probeNow(),
    });
    this.failures = new FailedAttempts(this.health);
    const { origin, gate, health, failures } = this;
    this.calls = new ServerCalls({ origin, gate, health, failures });
    this.audio = new ServerAudio({ calls: this.calls, health, failures, json: this.textLimits });
    const report = (error?: unknown): void => this.health.probed(error);
    const list = new ListedModels(settings, this.name);
    this.probe = new ServerProbe(settings, this.origin, { list, models: list.configured, report, log });
  }

  get healthy(): boolean {
    return this.health.healthy;
  }

  get reachable(): boolean {
    return this.health.reachable;
  }

  get latencyMilliseconds(): number | null {
    return this.probe.latencyMilliseconds;
  }

  get inFlight(): number {
    return this.gate.active;
  }

  get load(): number {
    return this.gate.load;
  }

  get hasRoom(): boolean {
    return this.gate.hasRoom;
  }

  get modelsKnown(): boolean {
    return this.probe.models !== undefined;
  }

  circuit(operation: Operation): CircuitBreaker {
    return this.health.circuit(operation);
  }

  get models(): readonly ServedModel[] {
    return this.probe.models ?? [];
  }

  refresh(): Promise<void> {
    return this.probe.refresh();
  }

  async answer(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<JsonObject> {
    const response = await this.calls.post(operation, toMessage(operation, body), options, 'whole');
    const isVectors = operation === 'embeddings';
    const limits = isVectors
      ? { read: VECTOR_LIMITS, json: VECTOR_JSON }
      : { read: TEXT_LIMITS, json: this.textLimits };
    return this.calls.readObject(operation, response, options, limits);
  }

  async answerStream(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<ByteSource> {
    const { key, callerId } = options;
    const response = await this.calls.post(operation, toMessage(operation, body), options, 'stream');
    if (/^text\/event-stream\b/i.test(mediaType(response))) {
      this.health.answered(operation, callerId);
      return key ? new KeyScrubber(key.apiKey).source(response.body) : response.body;
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

  async close(): Promise<void> {
    this.stop();
    await this.origin.close();
  }

  async retire(): Promise<void> {
    this.stop();
    try {
      await this.origin.retire();
    } catch (error) {
      this.log.error({ err: error, backend: this.id }, 'the connections of a backend cannot be closed');
    }
  }

  private stop(): void {
    this.health.close();
    this.probe.close();
  }
}

/** What is sent to a server of the chat-completions interface. */
function toMessage(operation: TextOperation, body: JsonObject): ServerMessage {
  return { path: PATHS[operation], body: encode(body) };
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
