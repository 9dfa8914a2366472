import { randomUUID } from 'node:crypto';
import type { ByteSource } from '../platform/egress.js';
import type { Backend, Capability, ServedModel } from './backend.js';
import type { BackendSettings } from './backend-settings.js';
import { refuseUnsupported } from './builtin-limits.js';
import { maxTokensOf, promptTexts } from './chat-prompt.js';
import { toFrame } from './chat-events.js';
import { END_MARK } from './event-frames.js';
import { extractAnswer } from './extractive-answer.js';
import { objectsOf } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { countTokens, takeTokens } from './tokenizer.js';
import { toUsageMember } from './usage.types.js';

const MODEL = 'builtin-extractive';
/** 2025-11-01: since when the model answers as it does. */
const CREATED = 1_761_955_200;

interface Extract {
  readonly text: string;
  readonly finishReason: 'stop' | 'length';
  readonly usage: JsonObject;
}

/**
 * Answers without a model server: with sentences of the conversation itself that match the question best. Classical and
 * deterministic; what it cannot do it refuses.
 */
export class BuiltinBackend implements Backend {
  readonly id: string;
  readonly provider = 'builtin';
  readonly kind = 'builtin';
  readonly supports: readonly Capability[] = ['chat'];
  readonly healthy = true;
  readonly latencyMilliseconds = 0;
  readonly modelsKnown = true;
  private readonly served: readonly ServedModel[];
  private calls = 0;

  constructor({ id }: Pick<BackendSettings, 'id'>) {
    this.id = id;
    this.served = [{ id: MODEL, upstream: MODEL, created: CREATED, ownedBy: 'builtin', capabilities: this.supports }];
  }

  get inFlight(): number {
    return this.calls;
  }

  models(): readonly ServedModel[] {
    return this.served;
  }

  async refresh(): Promise<void> {
    // Its model is fixed.
  }

  async chat(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { text, finishReason, usage } = await this.extract(body, signal);
    return {
      ...head('chat.completion'),
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
      usage,
    };
  }

  async chatStream(body: JsonObject, signal: AbortSignal): Promise<ByteSource> {
    const { text, finishReason, usage } = await this.extract(body, signal);
    const shared = head('chat.completion.chunk');
    const frame = (delta: JsonObject, reason: string | null = null): Buffer =>
      toFrame({ ...shared, choices: [{ index: 0, delta, finish_reason: reason }] });
    const words = text.match(/\S+\s*/g) ?? [];
    return new ReadyBytes([
      frame({ role: 'assistant', content: '' }),
      Buffer.concat(words.map((content) => frame({ content }))),
      Buffer.concat([frame({}, finishReason), toFrame({ ...shared, choices: [], usage }), END_MARK]),
    ]);
  }

  async close(): Promise<void> {
    // It has no connections.
  }

  private async extract(body: JsonObject, signal: AbortSignal): Promise<Extract> {
    refuseUnsupported(body);
    this.calls += 1;
    try {
      const sentences = await extractAnswer(objectsOf(body.messages), signal);
      const stopped = cutAtStop(sentences.join(' '), body.stop);
      const promptTokens = await countTokens(promptTexts(body), signal);
      const { text, tokens } = await takeTokens(stopped, maxTokensOf(body) ?? Number.POSITIVE_INFINITY);
      return {
        text,
        finishReason: text.length < stopped.length ? 'length' : 'stop',
        usage: toUsageMember({ promptTokens, completionTokens: tokens, precision: 'exact' }),
      };
    } finally {
      this.calls -= 1;
    }
  }
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

function head(object: string): JsonObject {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model: MODEL };
}

/** A text up to the first of the texts that end it. */
function cutAtStop(text: string, stop: unknown): string {
  const ends = [stop]
    .flat()
    .filter((end): end is string => typeof end === 'string' && end !== '')
    .map((end) => text.indexOf(end))
    .filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
