import type { Logger } from 'pino';
import type { ByokKey } from '../../../access/caller.js';
import { BadRequest, BadUpstream, Unavailable, UpstreamTimeout } from '../../../errors.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import { Origin } from '../../../platform/net/egress.js';
import type { ByteSource, Ending, OriginRequest, OriginResponse } from '../../../platform/net/egress.js';
import { excessOf, TEXT_JSON, TRUSTED_TEXT_JSON, VECTOR_JSON } from '../../streaming/json-limits.js';
import type { JsonLimits } from '../../../platform/json/json-depth.js';
import { retryable } from '../routing/attempt-failure.js';
import type { AnswerOptions, Backend, Capability, Operation, ServedModel } from '../backend.js';
import type { OpenaiSettings } from '../backend-settings.js';
import type { CircuitBreaker } from '../health/circuit-breaker.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import { parseJsonObject } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { KeyScrubber } from './key-scrubber.js';
import { ServerHealth } from '../health/server-health.js';
import { ServerProbe } from '../health/server-probe.js';
import { FailedAttempts } from './failed-attempts.js';

/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;

/** Of a whole answer: what it holds in memory is many times as much, and nothing else runs while it is parsed. */
const TEXT_LIMITS = { bytes: 16 * 1024 * 1024, milliseconds: 300_000 };
const VECTOR_LIMITS = { ...TEXT_LIMITS, bytes: 64 * 1024 * 1024 };
/** Of all whole answers of a tenant's own server that are being read. */
const TENANT_BUFFERED_BYTES = 64 * 1024 * 1024;

const PATHS: Readonly<Record<Operation, string>> = {
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
  readonly supports: readonly Capability[];
  private readonly textLimits: JsonLimits;
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly probe: ServerProbe;
  private readonly health: ServerHealth;
  private readonly failures: FailedAttempts;

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
    const report = (error?: unknown): void => this.health.probed(error);
    this.probe = new ServerProbe(settings, this.origin, { owner: this.name, report, log });
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

  async answer(operation: Operation, body: JsonObject, options: AnswerOptions): Promise<JsonObject> {
    const { key, callerId } = options;
    const response = await this.post(operation, body, options, 'whole');
    const isVectors = operation === 'embeddings';
    const read = await response.body.readAll(isVectors ? VECTOR_LIMITS : TEXT_LIMITS);
    const bytes = key ? new KeyScrubber(key.apiKey).scrub(read) : read;
    const answer = excessOf(bytes, isVectors ? VECTOR_JSON : this.textLimits) ?? parseJsonObject(bytes);
    if (!answer) {
      const error = new BadUpstream('The answer of the model server is not a JSON object.');
      this.health.failedFor(operation, callerId, error);
      throw error;
    }
    this.health.answered(operation, callerId);
    this.health.succeeded(operation);
    // What a server repeats of a request may be nested or large: it is not at fault for more than this answer.
    if (answer instanceof BadUpstream) throw answer;
    return answer;
  }

  async answerStream(operation: Operation, body: JsonObject, options: AnswerOptions): Promise<ByteSource> {
    const { key, callerId } = options;
    const response = await this.post(operation, body, options, 'stream');
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

  /** Sends a body, and answers a response whose status is 200 and whose bytes are readable. */
  private async post(
    operation: Operation,
    body: JsonObject,
    options: AnswerOptions,
    form: 'whole' | 'stream',
  ): Promise<OriginResponse> {
    const { callerId, signal } = options;
    const message = toMessage(operation, body, options);
    await this.enter(callerId, signal);
    const ended = (ending: Ending, status: number | undefined): void => {
      this.gate.leave();
      if (status !== 200) return;
      // A whole answer has to be read before it is known to be one.
      if (ending === 'whole' && form === 'stream') this.health.succeeded(operation);
      const hadBegun = form === 'stream';
      if (ending === 'broken') this.health.failedFor(operation, callerId, 'a broken answer', { hadBegun });
    };
    const response = await this.send(operation, callerId, { ...message, signal, ended });
    if (response.status !== 200) throw await this.failures.refused(operation, response, options);
    if ((response.headers['content-encoding'] ?? 'identity') === 'identity') return response;
    response.body.cancel();
    throw this.failures.failed(
      operation,
      callerId,
      new BadUpstream('The answer of the model server has an encoding that was not asked for.'),
    );
  }

  private async enter(callerId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.gate.enter(callerId, signal);
    } catch (error) {
      throw error instanceof Unavailable ? retryable(error, 'refused') : error;
    }
  }

  /** A request whose outcome shows whether the server is there. */
  private async send(operation: Operation, callerId: string, request: OriginRequest): Promise<OriginResponse> {
    try {
      const response = await this.origin.request(request);
      // It may be a proxy that answers for a server that is gone.
      if (response.status < 500) this.health.reached();
      return response;
    } catch (error) {
      if (!(error instanceof BadUpstream || error instanceof UpstreamTimeout)) throw error;
      throw this.failures.failed(operation, callerId, error);
    }
  }
}

/**
 * What is sent to a server of the chat-completions interface.
 * @throws BadRequest where the body is nested deeper than can be written
 */
function toMessage(
  operation: Operation,
  body: JsonObject,
  { key, traceparent }: AnswerOptions,
): Pick<OriginRequest, 'method' | 'path' | 'body' | 'headers'> {
  const headers = traceparent === undefined ? key && keyHeaders(key) : { ...(key && keyHeaders(key)), traceparent };
  return { method: 'POST', path: PATHS[operation], body: encode(body), headers };
}

function encode(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest('The body is nested too deeply.');
    throw error;
  }
}

/** The caller's key in place of the configured one; the organization goes with the key that it belongs to. */
function keyHeaders({ apiKey, organization }: ByokKey): Record<string, string | undefined> {
  return { authorization: `Bearer ${apiKey}`, 'openai-organization': organization };
}

function mediaType({ headers }: OriginResponse): string {
  return [headers['content-type']].flat()[0] ?? '';
}
