import type { Logger } from 'pino';
import { BadUpstream, Conflict } from '../../../errors.js';
import { isJsonObject, textOr } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { Origin } from '../../../platform/net/egress.js';
import { TEXT_JSON } from '../../streaming/json-limits.js';
import type { EngineTranslation, LanguagePair, TranslationRequest } from '../../translation/engine.types.js';
import type { AnswerOptions, Backend, Operation, ServedModel } from '../backend.js';
import type { LibretranslateSettings } from '../backend-settings.js';
import type { CircuitBreaker } from '../health/circuit-breaker.js';
import { ServerHealth } from '../health/server-health.js';
import { ServerProbe } from '../health/server-probe.js';
import { ConcurrencyGate } from '../openai/concurrency-gate.js';
import { FailedAttempts } from '../openai/failed-attempts.js';
import type { OpenaiBackendOptions } from '../openai/openai-backend.js';
import { ServerCalls } from '../openai/server-calls.js';
import { readLanguagePairs } from './libretranslate-languages.js';

/** Connections to a server without `max_concurrency`. */
const CONNECTIONS = 1_024;
/** Of one answer, and of all that are being read. */
const ANSWER_LIMITS = { bytes: 8 * 1024 * 1024, milliseconds: 300_000 };
const BUFFERED_BYTES = 64 * 1024 * 1024;
/** What public servers take of one call. */
const LIMITS = { maxTexts: 32, maxCharacters: 4_000 } as const;
const CAPABILITIES = ['translate'] as const;

/** A translation server of LibreTranslate's interface: its languages are asked of `/languages`. */
export class LibretranslateBackend implements Backend {
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly provider: string;
  readonly kind = 'libretranslate';
  readonly weight: number;
  readonly priority: number;
  readonly takesKeys: boolean;
  readonly maxConcurrency: number | undefined;
  readonly supports = CAPABILITIES;
  private readonly startedAt = Math.floor(Date.now() / 1000);
  private readonly apiKey: string | undefined;
  private readonly origin: Origin;
  private readonly gate: ConcurrencyGate;
  private readonly probe: ServerProbe;
  private readonly health: ServerHealth;
  private readonly failures: FailedAttempts;
  private readonly calls: ServerCalls;

  /** Starts to ask for languages in the background. */
  constructor(
    settings: LibretranslateSettings,
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
    this.apiKey = settings.api_key;
    this.gate = new ConcurrencyGate({ max: settings.max_concurrency, queue: settings.queue });
    this.origin = new Origin({
      baseUrl: settings.base_url,
      headers: { accept: 'application/json', ...settings.headers },
      // One is the probe's.
      maxConnections: (settings.max_concurrency ?? CONNECTIONS) + 1,
      timeoutSeconds: settings.timeout_seconds,
      caFile: settings.ca_file,
      rule: options.rule,
      bufferedBytes: BUFFERED_BYTES,
    });
    this.health = new ServerHealth({
      id: this.id,
      log,
      changed: () => options.healthChanged?.(this),
      probe: () => this.probe.probeNow(),
    });
    const { origin, gate, health } = this;
    // It goes in the body, which servers quote in what they refuse.
    this.failures = new FailedAttempts(health, this.apiKey);
    this.calls = new ServerCalls({ origin, gate, health, failures: this.failures });
    const list = { path: '/languages', read: (body: Buffer) => [this.servedModel(settings, readLanguagePairs(body))] };
    const report = (error?: unknown): void => this.health.probed(error);
    this.probe = new ServerProbe(settings, origin, { list, report, log });
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

  get models(): readonly ServedModel[] {
    return this.probe.models ?? [];
  }

  circuit(operation: Operation): CircuitBreaker {
    return this.health.circuit(operation);
  }

  refresh(): Promise<void> {
    return this.probe.refresh();
  }

  async translate(
    { texts, source, target }: TranslationRequest,
    options: AnswerOptions,
  ): Promise<readonly EngineTranslation[]> {
    const key = options.key?.apiKey ?? this.apiKey;
    const fields = {
      q: texts,
      source: source ?? 'auto',
      target,
      format: 'html',
      ...(key !== undefined && { api_key: key }),
    };
    const message = { path: '/translate', body: JSON.stringify(fields), hasKey: true };
    const response = await this.calls.post('translate', message, options, 'whole');
    const limits = { read: ANSWER_LIMITS, json: TEXT_JSON };
    const answer = await this.calls.readObject('translate', response, options, limits);
    const translations = readTranslations(answer, texts.length);
    if (translations) return translations;
    const error = new BadUpstream('The answer of the translation server is not one translation for each text.');
    throw this.failures.failed('translate', options.callerId, error);
  }

  async answer(): Promise<never> {
    throw unsupported();
  }

  async answerStream(): Promise<never> {
    throw unsupported();
  }

  async transcribe(): Promise<never> {
    throw unsupported();
  }

  async speak(): Promise<never> {
    throw unsupported();
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

  private servedModel({ models }: LibretranslateSettings, pairs: readonly LanguagePair[]): ServedModel {
    const { id, upstream } = models?.[0] ?? { id: this.name, upstream: this.name };
    return {
      id,
      upstream,
      created: this.startedAt,
      ownedBy: this.name,
      capabilities: CAPABILITIES,
      translation: { engine: 'libretranslate', pairs, detects: true, ...LIMITS },
    };
  }

  private stop(): void {
    this.health.close();
    this.probe.close();
  }
}

/** `{translatedText: […], detectedLanguage?: [{language}]}`; a server of old times has no list for one text. */
function readTranslations(
  { translatedText, detectedLanguage }: JsonObject,
  count: number,
): EngineTranslation[] | undefined {
  const texts = Array.isArray(translatedText) ? translatedText : [translatedText];
  const languages = Array.isArray(detectedLanguage) ? detectedLanguage : [detectedLanguage];
  if (texts.length !== count || !texts.every((text) => typeof text === 'string')) return undefined;
  return texts.map((text, index) => {
    const told: unknown = languages[index];
    return { text, detectedLanguage: isJsonObject(told) ? textOr(told.language, null) : null };
  });
}

function unsupported(): Conflict {
  return new Conflict('capability_not_supported', 'A translation server translates, and nothing else.', 'model');
}
