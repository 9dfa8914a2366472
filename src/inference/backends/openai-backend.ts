import type { Logger } from 'pino';
import type { ByokKey } from '../../context.js';
import { BadRequest, BadUpstream, PlatformError, Unavailable, UpstreamTimeout } from '../../errors.js';
import type { AddressRule } from '../../platform/address-rule.js';
import { Origin } from '../../platform/egress.js';
import type { ByteSource, Ending, OriginRequest, OriginResponse } from '../../platform/egress.js';
import { repeatable } from './attempt-failure.js';
import type { AnswerOptions, Backend, Capability, Operation, ServedModel } from './backend.js';
import type { OpenaiSettings } from './backend-settings.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import { parseJsonObject } from '../json.types.js';
import type { JsonObject } from '../json.types.js';
import { KeyScrubber } from './key-scrubber.js';
import { ServerProbe } from './server-probe.js';
import { errorOfResponse, isAboutRequest, refusedKey, retrySecondsOf } from './upstream-errors.js';

/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;

/** Errors of a connection that was never there: nothing was sent. */
const NOT_CONNECTED = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CLOSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
]);

/** What a server answers to a key that it does not take, or whose account has nothing left. */
const KEY_REFUSALS = new Set([401, 402, 403]);

const PATHS: Readonly<Record<Operation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  responses: '/responses',
  embeddings: '/embeddings',
};

/** Whose a backend is, and who wants to know how it does. */
export interface BackendSurroundings {
  /** Default: the id. */
  readonly name?: string;
  /** The tenant that it serves alone; default: none. */
  readonly tenantId?: string | null;
  /** Where connections may go; default: anywhere. */
  readonly isAllowed?: AddressRule;
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
  readonly circuit = new CircuitBreaker();
  readonly supports: readonly Capability[];
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly probe: ServerProbe;
  private isHealthy = true;
  private closed = false;

  /** Starts to ask for health and models in the background. */
  constructor(
    settings: OpenaiSettings,
    private readonly log: Logger,
    private readonly surroundings: BackendSurroundings = {},
  ) {
    this.id = settings.id;
    this.name = surroundings.name ?? settings.id;
    this.tenantId = surroundings.tenantId ?? null;
    this.provider = settings.provider;
    this.weight = settings.weight;
    this.priority = settings.priority;
    this.takesKeys = settings.byok;
    this.supports = settings.supports;
    this.gate = new ConcurrencyGate({ max: settings.max_concurrency, queue: settings.queue });
    this.origin = new Origin({
      baseUrl: settings.base_url,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(settings.api_key !== undefined && { authorization: `Bearer ${settings.api_key}` }),
        ...settings.headers,
      },
      maxConnections: settings.max_concurrency ?? CONNECTIONS,
      timeoutSeconds: settings.timeout_seconds,
      caFile: settings.ca_file,
      isAllowed: surroundings.isAllowed,
    });
    this.probe = new ServerProbe(settings, this.origin, { owner: this.name, report: this.probed });
  }

  get healthy(): boolean {
    return this.isHealthy;
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

  models(): readonly ServedModel[] {
    return this.probe.models ?? [];
  }

  refresh(): Promise<void> {
    return this.probe.refresh();
  }

  async answer(operation: Operation, body: JsonObject, options: AnswerOptions): Promise<JsonObject> {
    const { key } = options;
    const response = await this.post(PATHS[operation], body, options);
    const bytes = await response.body.readAll();
    const answer = parseJsonObject(key ? new KeyScrubber(key.apiKey).scrub(bytes) : bytes);
    if (!answer) throw new BadUpstream('The answer of the model server is not a JSON object.');
    return answer;
  }

  async answerStream(operation: Operation, body: JsonObject, options: AnswerOptions): Promise<ByteSource> {
    const { key } = options;
    const response = await this.post(PATHS[operation], body, options);
    if (/^text\/event-stream\b/i.test(mediaType(response))) {
      return key ? new KeyScrubber(key.apiKey).source(response.body) : response.body;
    }
    response.body.cancel();
    throw this.failed(new BadUpstream('The answer of the model server is not an event stream.'));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.probe.close();
    await this.origin.close();
  }

  async retire(): Promise<void> {
    this.closed = true;
    this.probe.close();
    await this.origin.retire();
  }

  /** Sends a body, and answers a response whose status is 200 and whose bytes are readable. */
  private async post(
    path: string,
    body: JsonObject,
    { signal, key, traceparent }: AnswerOptions,
  ): Promise<OriginResponse> {
    const text = encode(body);
    await this.enter(signal);
    const headers = traceparent === undefined ? key && keyHeaders(key) : { ...(key && keyHeaders(key)), traceparent };
    const response = await this.send({ method: 'POST', path, body: text, headers, signal, ended: this.ended });
    if (response.status !== 200) throw this.refusal(response, await readOrEmpty(response), key);
    if ((response.headers['content-encoding'] ?? 'identity') === 'identity') {
      this.circuit.answered();
      return response;
    }
    response.body.cancel();
    throw this.failed(new BadUpstream('The answer of the model server has an encoding that was not asked for.'));
  }

  private async enter(signal: AbortSignal): Promise<void> {
    try {
      await this.gate.enter(signal);
    } catch (error) {
      throw error instanceof Unavailable ? repeatable(error, 'refused') : error;
    }
  }

  /** A request whose outcome shows whether the server is there. */
  private async send(request: OriginRequest): Promise<OriginResponse> {
    try {
      const response = await this.origin.request(request);
      this.setHealthy(true);
      return response;
    } catch (error) {
      if (!(error instanceof BadUpstream || error instanceof UpstreamTimeout)) throw error;
      this.setHealthy(false, error);
      throw this.failed(error);
    }
  }

  private readonly ended = (ending: Ending, status: number | undefined): void => {
    this.gate.leave();
    if (status !== 200) return;
    if (ending === 'whole') this.circuit.succeeded();
    if (ending === 'broken') this.circuit.failed();
  };

  /** The error for an answer whose status is not 200, and what it teaches. */
  private refusal(response: OriginResponse, body: Buffer, key: ByokKey | undefined): PlatformError {
    // It is the key that is refused or has used up its limit, and not the server that is at fault.
    if (key && KEY_REFUSALS.has(response.status)) return refusedKey();
    const error = errorOfResponse(response, key ? new KeyScrubber(key.apiKey).scrub(body) : body);
    if (error instanceof Unavailable) {
      if (!key) this.circuit.busy(retrySecondsOf(error));
      return repeatable(error, 'refused');
    }
    if (error instanceof BadUpstream && !isAboutRequest(response.status)) return this.failed(error);
    this.circuit.answered();
    return error;
  }

  /** A failure before any byte of an answer. */
  private failed<E extends PlatformError>(error: E): E {
    this.circuit.failed();
    return repeatable(error, NOT_CONNECTED.has(codeOf(error.cause)) ? 'refused' : 'failed');
  }

  private readonly probed = (error?: unknown): void => {
    if (error === undefined) this.circuit.healthy();
    else this.circuit.failed();
    this.setHealthy(error === undefined, error);
  };

  /** Only a change is worth a line of the log. */
  private setHealthy(healthy: boolean, error?: unknown): void {
    if (this.closed || healthy === this.isHealthy) return;
    this.isHealthy = healthy;
    if (healthy) this.log.info({ backend: this.id }, 'the model server answers again');
    else this.log.warn({ backend: this.id, reason: reasonOf(error) }, 'the model server does not answer');
    this.surroundings.healthChanged?.(this);
  }
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

/** The body of an error; where it is cut, its status says enough. */
function readOrEmpty({ body }: OriginResponse): Promise<Buffer> {
  return body.readAll().catch(() => Buffer.alloc(0));
}

function mediaType({ headers }: OriginResponse): string {
  return [headers['content-type']].flat()[0] ?? '';
}

/** The caller's key in place of the configured one; the organization goes with the key that it belongs to. */
function keyHeaders({ apiKey, organization }: ByokKey): Record<string, string | undefined> {
  return { authorization: `Bearer ${apiKey}`, 'openai-organization': organization };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof PlatformError ? error.cause : error;
  return cause instanceof Error ? codeOf(cause) || cause.message : String(cause);
}

function codeOf(cause: unknown): string {
  return (cause as { code?: string } | undefined)?.code ?? '';
}
