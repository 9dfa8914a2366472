import type { Caller } from '../../access/caller.js';
import type { EventStream } from '../../graph/event-stream.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { CallContext } from '../calls/model-call.js';
import type { Models } from '../calls/models.js';
import type { CompletionOperation } from './completion-exchange.js';

/** Chat or text completions, whole and streamed, by whichever backend serves the model. */
export class CompletionService<Whole, Chunk> {
  private readonly check: BodyCheck;

  constructor(
    private readonly kind: CompletionOperation<Whole, Chunk>,
    private readonly models: Models,
  ) {
    this.check = compileBodySchema(kind.schema);
  }

  /**
   * Answers as one JSON object (docs/api.md, Chat completions).
   * @throws BadRequest that names the field; as `Models.complete` does
   */
  async complete(caller: Caller, body: unknown, context: CallContext): Promise<Whole> {
    const request = this.validated(body);
    const call = { area: this.kind.operation, request, context };
    return this.kind.toCompletion(await this.models.complete(caller, call, this.kind));
  }

  /**
   * Answers as a stream (docs/api.md, Streams).
   * @throws BadRequest that names the field; as `Models.stream` does
   */
  async stream(caller: Caller, body: unknown, context: CallContext): Promise<EventStream<Chunk>> {
    const request = this.validated(body);
    return this.models.stream(caller, { area: this.kind.operation, request, context }, this.kind);
  }

  private validated(body: unknown): JsonObject {
    this.check(body);
    return body as JsonObject;
  }
}
