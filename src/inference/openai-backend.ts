import type { Logger } from 'pino';
import { BadRequest, BadUpstream, PlatformError, UpstreamTimeout } from '../errors.js';
import { Origin } from '../platform/egress.js';
import type { ByteSource, OriginRequest, OriginResponse } from '../platform/egress.js';
import type { Backend, Capability, ServedModel } from './backend.js';
import type { OpenaiSettings } from './backend-settings.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import { isJsonObject, objectsOf } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { errorOfResponse } from './upstream-errors.js';

const PROBE_MILLISECONDS = 30_000;
const PROBE_TIMEOUT_MILLISECONDS = 5_000;
/** How often the models may be asked for because of requests. */
const REFRESH_MILLISECONDS = 1_000;
/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;

/** A model server that speaks the widely used chat-completions interface: vLLM, llama.cpp, Ollama and others. */
export class OpenaiBackend implements Backend {
  readonly id: string;
  readonly provider = 'openai';
  readonly kind = 'openai';
  readonly supports: readonly Capability[];
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly timer: NodeJS.Timeout;
  private readonly startedAt = unixSeconds();
  private served: readonly ServedModel[] | undefined;
  private isHealthy = true;
  private probeMilliseconds: number | null = null;
  private probing: Promise<void> | undefined;
  private probedAt = Number.NEGATIVE_INFINITY;
  private closed = false;

  /** Starts to ask for health and models in the background. */
  constructor(
    private readonly settings: OpenaiSettings,
    private readonly log: Logger,
  ) {
    this.id = settings.id;
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
    });
    this.served = settings.models?.map(({ id, upstream }) => this.servedModel(id, upstream));
    this.timer = setInterval(() => void this.probe(), PROBE_MILLISECONDS).unref();
    void this.probe();
  }

  get healthy(): boolean {
    return this.isHealthy;
  }

  get latencyMilliseconds(): number | null {
    return this.probeMilliseconds;
  }

  get inFlight(): number {
    return this.gate.active;
  }

  get modelsKnown(): boolean {
    return this.served !== undefined;
  }

  models(): readonly ServedModel[] {
    return this.served ?? [];
  }

  async refresh(): Promise<void> {
    if (this.settings.models) return;
    if (this.probing || performance.now() - this.probedAt >= REFRESH_MILLISECONDS) await this.probe();
  }

  async chat(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const response = await this.post('/chat/completions', body, signal);
    const answer = parseObject(await response.body.readAll());
    if (!answer) throw new BadUpstream('The answer of the model server is not a JSON object.');
    return answer;
  }

  async chatStream(body: JsonObject, signal: AbortSignal): Promise<ByteSource> {
    const response = await this.post('/chat/completions', body, signal);
    if (/^text\/event-stream\b/i.test(mediaType(response))) return response.body;
    response.body.cancel();
    throw new BadUpstream('The answer of the model server is not an event stream.');
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.origin.close();
  }

  /** Sends a body, and answers a response whose status is 200 and whose bytes are readable. */
  private async post(path: string, body: JsonObject, signal: AbortSignal): Promise<OriginResponse> {
    const text = encode(body);
    await this.gate.enter(signal);
    const response = await this.send({ method: 'POST', path, body: text, signal, ended: () => this.gate.leave() });
    if (response.status !== 200) throw errorOfResponse(response, await response.body.readAll());
    if ((response.headers['content-encoding'] ?? 'identity') === 'identity') return response;
    response.body.cancel();
    throw new BadUpstream('The answer of the model server has an encoding that was not asked for.');
  }

  /** A request whose outcome shows whether the server is there. */
  private async send(request: OriginRequest): Promise<OriginResponse> {
    try {
      const response = await this.origin.request(request);
      this.setHealthy(true);
      return response;
    } catch (error) {
      if (error instanceof BadUpstream || error instanceof UpstreamTimeout) this.setHealthy(false, error);
      throw error;
    }
  }

  private probe(): Promise<void> {
    this.probing ??= this.askHealthAndModels().finally(() => (this.probing = undefined));
    return this.probing;
  }

  private async askHealthAndModels(): Promise<void> {
    this.probedAt = performance.now();
    const { health_path: healthPath, models } = this.settings;
    try {
      if (healthPath !== undefined) await this.ask(healthPath, true);
      if (healthPath === undefined || !models) {
        const listed = await this.ask('/models', false);
        if (!models) this.served = this.listedModels(listed);
      }
      this.probeMilliseconds = Math.round(performance.now() - this.probedAt);
      this.setHealthy(true);
    } catch (error) {
      this.setHealthy(false, error);
    }
  }

  private async ask(path: string, absolute: boolean): Promise<Buffer> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MILLISECONDS);
    const response = await this.origin.request({ method: 'GET', path, absolute, signal });
    const body = await response.body.readAll();
    // A server with configured models need not list them.
    const unlisted = !absolute && this.settings.models !== undefined && response.status === 404;
    if (response.status >= 300 && !unlisted) throw new Error(`${path} answered ${response.status}`);
    return body;
  }

  private listedModels(body: Buffer): readonly ServedModel[] {
    const list = parseObject(body);
    if (!Array.isArray(list?.data)) throw new Error('/models answered no list');
    return objectsOf(list.data)
      .filter((entry): entry is JsonObject & { id: string } => typeof entry.id === 'string' && entry.id !== '')
      .map((entry) => this.servedModel(entry.id, entry.id, entry));
  }

  private servedModel(id: string, upstream: string, entry: JsonObject = {}): ServedModel {
    return {
      id,
      upstream,
      created: Number.isSafeInteger(entry.created) ? (entry.created as number) : this.startedAt,
      ownedBy: typeof entry.owned_by === 'string' ? entry.owned_by : this.id,
      capabilities: this.supports,
    };
  }

  /** Only a change is worth a line of the log. */
  private setHealthy(healthy: boolean, error?: unknown): void {
    if (this.closed || healthy === this.isHealthy) return;
    this.isHealthy = healthy;
    if (healthy) this.log.info({ backend: this.id }, 'the model server answers again');
    else this.log.warn({ backend: this.id, reason: reasonOf(error) }, 'the model server does not answer');
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

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function mediaType({ headers }: OriginResponse): string {
  return [headers['content-type']].flat()[0] ?? '';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof PlatformError ? error.cause : error;
  return cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : String(cause);
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
