import type { Logger } from 'pino';
import type { EgressRule } from '../../platform/net/egress-rule.js';
import { Origin } from '../../platform/net/egress.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { PcmSource, SpeechRequest, TranscriptionRequest } from '../speech/engine.types.js';
import type { EngineTranslation, TranslationRequest } from '../translation/engine.types.js';
import type { AnswerOptions, Backend, Operation, ServedModel, TextOperation } from './backend.js';
import type { LibretranslateSettings, OpenaiSettings } from './backend-settings.js';
import { secretsOf } from './configured-secrets.js';
import type { CircuitBreaker } from './health/circuit-breaker.js';
import { ServerHealth } from './health/server-health.js';
import { ServerProbe } from './health/server-probe.js';
import type { ProbedList } from './health/server-probe.js';
import { ConcurrencyGate } from './openai/concurrency-gate.js';
import { FailedAttempts } from './openai/failed-attempts.js';
import { KeyScrubber } from './openai/key-scrubber.js';
import { ServerCalls } from './openai/server-calls.js';

/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;

/** Those of a server that is reached over HTTP. */
export type ServerSettings = OpenaiSettings | LibretranslateSettings;

/** Whose a backend is, and who wants to know how it does. */
export interface ServerOptions {
  /** Default: the id. */
  readonly name?: string;
  /** The tenant that it serves alone; default: none. */
  readonly tenantId?: string | null;
  /** Where connections may go; default: anywhere. */
  readonly rule?: EgressRule;
  /** Called when the backend has become healthy, or is not any more. */
  readonly healthChanged?: (backend: Backend) => void;
}

/** How the interface of a kind of servers is spoken to. */
interface ServerTraits {
  readonly settings: ServerSettings;
  readonly options: ServerOptions;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of all whole answers that are being read; undefined: as Origin has it. */
  readonly bufferedBytes: number | undefined;
  readonly list: ProbedList;
  /** Configured ones, which are not asked for. */
  readonly models: readonly ServedModel[] | undefined;
}

/** What all servers that are reached over HTTP have in common: connections, health, a probe, places for calls. */
export abstract class ServerBackend implements Backend {
  abstract readonly kind: Backend['kind'];
  abstract readonly supports: Backend['supports'];
  readonly tellsSent = true;
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly provider: string;
  readonly weight: number;
  readonly priority: number;
  readonly takesKeys: boolean;
  readonly maxConcurrency: number | undefined;
  protected readonly health: ServerHealth;
  protected readonly failures: FailedAttempts;
  protected readonly calls: ServerCalls;
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly probe: ServerProbe;

  /** Starts to ask for health and models in the background. @param log of what goes wrong there */
  protected constructor(
    { settings, options, headers, bufferedBytes, list, models }: ServerTraits,
    private readonly log: Logger,
  ) {
    this.id = settings.id;
    this.name = options.name ?? settings.id;
    this.tenantId = options.tenantId ?? null;
    this.provider = settings.provider;
    this.weight = settings.weight;
    this.priority = settings.priority;
    this.takesKeys = settings.byok;
    this.maxConcurrency = settings.max_concurrency;
    this.gate = new ConcurrencyGate({ max: settings.max_concurrency, queue: settings.queue });
    this.origin = new Origin({
      baseUrl: settings.base_url,
      headers: { ...headers, ...settings.headers },
      // One is the probe's: a server that is full is not one that does not answer.
      maxConnections: (settings.max_concurrency ?? CONNECTIONS) + 1,
      timeoutSeconds: settings.timeout_seconds,
      caFile: settings.ca_file,
      rule: options.rule,
      ...(bufferedBytes !== undefined && { bufferedBytes }),
    });
    this.health = new ServerHealth({
      id: this.id,
      log,
      changed: () => options.healthChanged?.(this),
      probe: () => this.probe.probeNow(),
    });
    const secrets = new KeyScrubber(...secretsOf(settings));
    this.failures = new FailedAttempts(this.health, secrets);
    const { origin, gate, health, failures } = this;
    this.calls = new ServerCalls({ origin, gate, health, failures, secrets });
    const report = (error?: unknown, isSilent?: boolean): void => this.health.probed(error, isSilent);
    this.probe = new ServerProbe(settings, origin, { list, models, report, log, secrets });
  }

  abstract answer(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<JsonObject>;
  abstract answerStream(operation: TextOperation, body: JsonObject, options: AnswerOptions): Promise<ByteSource>;
  abstract transcribe(request: TranscriptionRequest, options: AnswerOptions): Promise<JsonObject>;
  abstract speak(request: SpeechRequest, options: AnswerOptions): Promise<PcmSource>;
  abstract translate(request: TranslationRequest, options: AnswerOptions): Promise<readonly EngineTranslation[]>;

  get healthy(): boolean {
    return this.health.healthy;
  }

  get reachable(): boolean {
    return this.health.reachable;
  }

  get isLate(): boolean {
    return this.health.isLate;
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

  get models(): readonly ServedModel[] {
    return this.probe.models ?? [];
  }

  circuit(operation: Operation): CircuitBreaker {
    return this.health.circuit(operation);
  }

  refresh(): Promise<void> {
    return this.probe.refresh();
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
