import { PlatformError } from '../../errors.js';
import { CHAT, ChunkStreamCodec, CompletionExchange, keepPassages, requireNoRefusal } from '../../inference/domain.js';
import type { ExchangeType, Upstream } from '../../inference/domain.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { ByteSource } from '../../platform/net/egress.js';
import { CitingTransform } from './citing-transform.js';
import type { Citing } from './citing-transform.js';
import { withFirstMessage } from './grounded-messages.js';
import { toKnowledgeChatChunk } from './knowledge-chat.types.js';
import type { KnowledgeChatChunk } from './knowledge-chat.types.js';

/** What the passages of one chat are. */
interface Grounding {
  /** How many the prompt has. */
  readonly count: number;
  /** Of their fences. */
  readonly key: string;
  readonly citing: Citing;
}

/** A chat completion whose prompt has passages: where they are too long for the model, it is asked with half of them. */
class GroundedExchange extends CompletionExchange<KnowledgeChatChunk> {
  constructor(
    request: JsonObject,
    model: string,
    private readonly grounding: Grounding,
  ) {
    super(request, model, {
      ...CHAT,
      createCodec: () =>
        new ChunkStreamCodec(request, model, 'chat.completion.chunk', toKnowledgeChatChunk, [
          new CitingTransform(grounding.citing),
        ]),
    });
  }

  override ask(body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    return this.fitted(body, (fitting) => super.ask(fitting, upstream));
  }

  override open(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<ByteSource> {
    return this.fitted(body, async (fitting) => requireNoRefusal(await super.open(fitting, upstream, signal)));
  }

  private async fitted<T>(body: JsonObject, attempt: (body: JsonObject) => Promise<T>): Promise<T> {
    let { count } = this.grounding;
    let fitting = body;
    for (;;) {
      try {
        return await attempt(fitting);
      } catch (error) {
        if (count === 0 || !isTooLong(error)) throw error;
      }
      count = Math.floor(count / 2);
      const kept = count;
      this.grounding.citing.verifier.keep(kept);
      fitting = withFirstMessage(body, (text) => keepPassages(text, this.grounding.key, kept));
    }
  }
}

/** A chat whose prompt has passages, of which its answer cites. */
export function groundedChat(grounding: Grounding): ExchangeType<GroundedExchange> {
  return {
    operation: 'chat',
    check: (body) => CHAT.check?.(body),
    create: (request, { model }) => new GroundedExchange(request, model.id, grounding),
  };
}

function isTooLong(error: unknown): boolean {
  return error instanceof PlatformError && error.details.reason === 'context_length_exceeded';
}
