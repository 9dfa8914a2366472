import { Conflict } from '../../errors.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { AnswerOptions, Backend, Capability, Operation, ServedModel, TextOperation } from '../backends/backend.js';
import type { BackendSettings } from '../backends/backend-settings.js';
import { embed } from './builtin-embeddings.js';
import { extract, toChoices, toFrames } from './builtin-extracts.js';
import { CircuitBreaker } from '../backends/health/circuit-breaker.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { SpeechEngine } from '../speech/engines/speech-engine.js';
import type { PcmSource, SpeechRequest, TranscriptionRequest } from '../speech/engine.types.js';
import type { TranslationEngine } from '../translation/translation-engine.js';
import type { EngineTranslation, TranslationRequest } from '../translation/engine.types.js';

/** The model that answers conversations with their own sentences. */
export const BUILTIN_CHAT_MODEL = 'builtin-extractive';

/** Its models: what each can do, and since when (Unix seconds) it answers as it does. */
const MODELS: readonly {
  readonly id: string;
  readonly created: number;
  readonly capabilities: readonly Capability[];
}[] = [
  { id: BUILTIN_CHAT_MODEL, created: 1_761_955_200, capabilities: ['chat', 'completions'] },
  { id: 'builtin-hash-embedding', created: 1_763_596_800, capabilities: ['embeddings'] },
];

/** It does not fail. */
const CLOSED = new CircuitBreaker();

/**
 * Answers without a model server: with sentences of the request itself that match the question best, and with vectors
 * of hashed words. Classical and deterministic; what it cannot do it refuses.
 */
export class BuiltinBackend implements Backend {
  readonly id: string;
  readonly name: string;
  readonly tenantId = null;
  readonly provider = 'builtin';
  readonly kind = 'builtin';
  readonly supports: readonly Capability[];
  readonly weight = 1;
  readonly priority = 0;
  readonly hasRoom = true;
  readonly takesKeys = false;
  readonly maxConcurrency = undefined;
  readonly healthy = true;
  readonly reachable = true;
  readonly latencyMilliseconds = 0;
  readonly modelsKnown = true;
  readonly models: readonly ServedModel[];
  private calls = 0;

  /** @param engines of speech, and @param translators, that run on this machine */
  constructor(
    { id }: Pick<BackendSettings, 'id'>,
    private readonly engines: readonly SpeechEngine[] = [],
    private readonly translators: readonly TranslationEngine[] = [],
  ) {
    this.id = id;
    this.name = id;
    const models = [
      ...MODELS,
      ...engines.map(({ id: engine, created, capabilities, audio }) => ({ id: engine, created, capabilities, audio })),
      ...translators.map(({ id: engine, created, translation }) => ({
        id: engine,
        created,
        capabilities: ['translate'] as const,
        translation,
      })),
    ];
    this.models = models.map((model) => ({ ...model, upstream: model.id, ownedBy: 'builtin' }));
    this.supports = [...new Set(models.flatMap(({ capabilities }) => capabilities))];
  }

  circuit(): CircuitBreaker {
    return CLOSED;
  }

  get inFlight(): number {
    return this.calls;
  }

  get load(): number {
    return this.calls;
  }

  async refresh(): Promise<void> {
    // Its models are fixed.
  }

  answer(operation: TextOperation, body: JsonObject, { signal }: AnswerOptions): Promise<JsonObject> {
    return this.counted(async () => {
      if (operation === 'embeddings') return embed(body, signal);
      return toChoices(await extract(textOperation(operation), body, signal));
    });
  }

  answerStream(operation: TextOperation, body: JsonObject, { signal }: AnswerOptions): Promise<ByteSource> {
    return this.counted(async () => {
      return new ReadyBytes(toFrames(await extract(textOperation(operation), body, signal)));
    });
  }

  transcribe(request: TranscriptionRequest, { signal, callerId }: AnswerOptions): Promise<JsonObject> {
    const engine = this.engines.find(({ id }) => id === request.model);
    if (!engine?.transcribe) throw unsupported('transcribe');
    return this.counted(() => engine.transcribe?.(request, signal, callerId) as Promise<JsonObject>);
  }

  speak(request: SpeechRequest, { signal, callerId: userId, tenantId }: AnswerOptions): Promise<PcmSource> {
    const engine = this.engines.find(({ id }) => id === request.model);
    if (!engine?.speak) throw unsupported('speech');
    return this.counted(() => engine.speak?.(request, signal, { tenantId, userId }) as Promise<PcmSource>);
  }

  translate(request: TranslationRequest, { signal, callerId }: AnswerOptions): Promise<readonly EngineTranslation[]> {
    const engine = this.translators.find(({ id }) => id === request.model);
    if (!engine) throw unsupported('translate');
    return this.counted(() => engine.translate(request, signal, callerId));
  }

  async close(): Promise<void> {
    await Promise.all([...this.engines, ...this.translators].map((engine) => engine.close()));
  }

  async retire(): Promise<void> {
    // It has no connections.
  }

  private async counted<T>(work: () => Promise<T>): Promise<T> {
    this.calls += 1;
    try {
      return await work();
    } finally {
      this.calls -= 1;
    }
  }
}

/** @throws Conflict `capability_not_supported` for what it never answers in sentences */
function textOperation(operation: TextOperation): 'chat' | 'completions' {
  if (operation === 'chat' || operation === 'completions') return operation;
  throw unsupported(operation);
}

function unsupported(operation: Operation): Conflict {
  return new Conflict('capability_not_supported', `The builtin backend does not support ${operation}.`, 'model');
}

/** Bytes that are there already, handed out part by part. */
class ReadyBytes implements ByteSource {
  constructor(private parts: Buffer[]) {}

  async next(): Promise<Buffer | undefined> {
    return this.parts.shift();
  }

  cancel(): void {
    this.parts = [];
  }

  release(): void {
    this.parts = [];
  }
}
