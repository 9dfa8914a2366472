import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { EventStream } from '../../graph/event-stream.js';
import { newFenceKey } from '../../inference/domain.js';
import type { CallContext, ModelCall, Models } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { KnowledgeSearch } from '../search/knowledge-search.js';
import { CitationVerifier } from './citation-verifier.js';
import { citeAnswer } from './citing-transform.js';
import { JsonBudget } from './cited-json.js';
import type { Citing } from './citing-transform.js';
import { groundedChat } from './grounded-chat.js';
import { groundMessages } from './grounded-messages.js';
import type { KnowledgeChatChunk } from './knowledge-chat.types.js';
import { standaloneQuestion } from './standalone-question.js';

const check = compileBodySchema(new URL('../../../schema/rest/knowledge/chat.schema.json', import.meta.url));

interface KnowledgeChatParts {
  readonly models: Pick<Models, 'complete' | 'stream' | 'check'>;
  readonly search: Pick<KnowledgeSearch, 'search'>;
}

/** A chat with what was found for it. */
interface PreparedChat {
  readonly call: ModelCall;
  readonly type: ReturnType<typeof groundedChat>;
  readonly citing: Citing;
}

/** Chats whose answers are from knowledge bases, and cite them. Nothing of them is stored. */
export class KnowledgeChat {
  constructor(private readonly parts: KnowledgeChatParts) {}

  /**
   * Answers as one JSON object with `citations`.
   * @param body a chat completion's, with `knowledgebase_id` or `knowledgebase_ids`, and `top_k`
   * @throws BadRequest that names the field; NotFound for a base that the caller may not read; what `Models.complete` throws
   */
  async complete(caller: Caller, body: unknown, context: CallContext): Promise<JsonObject> {
    const { call, type, citing } = await this.prepare(caller, body, context);
    const answer = await this.parts.models.complete(caller, call, type);
    return citeAnswer(answer, citing);
  }

  /** Answers as a stream, whose last piece but for the usage has `citations`. @throws as `complete` does */
  async stream(caller: Caller, body: unknown, context: CallContext): Promise<EventStream<KnowledgeChatChunk>> {
    const { call, type } = await this.prepare(caller, body, context);
    return this.parts.models.stream(caller, call, type);
  }

  private async prepare(caller: Caller, body: unknown, context: CallContext): Promise<PreparedChat> {
    const { request, baseIds, topK } = readBody(body);
    await this.parts.models.check(caller, request.model as string, 'chat');
    const { requestId, serverRequestId, signal, timings, byok } = context;
    const asked = { requestId, serverRequestId, signal, timings, byok };
    const query = await standaloneQuestion(request, (rewriting) =>
      this.parts.models.complete(caller, { area: 'knowledge', request: rewriting, context: asked }),
    );
    const passages = await this.parts.search.search(caller, baseIds, { query, topK }, context);
    const cooperation = new CooperativeYield(signal);
    const citing = {
      cooperation,
      verifier: new CitationVerifier(passages, cooperation),
      count: (request.n ?? 1) as number,
      json: asksForJson(request) ? new JsonBudget() : undefined,
    };
    const key = newFenceKey();
    const grounded = { ...request, messages: groundMessages(objectsOf(request.messages), passages, key) };
    return {
      call: { area: 'knowledge', request: grounded, context },
      type: groundedChat({ count: passages.length, key, citing }),
      citing,
    };
  }
}

/** Whether the answer is to be JSON, whose lists of numbers are no marks. */
function asksForJson({ response_format: format }: JsonObject): boolean {
  return isJsonObject(format) && (format.type === 'json_object' || format.type === 'json_schema');
}

/** What a body asks, and where. @throws BadRequest that names the field */
function readBody(body: unknown): { request: JsonObject; baseIds: readonly string[]; topK: number | undefined } {
  check(body);
  const { knowledgebase_id: one, knowledgebase_ids: several, top_k: topK, ...request } = body as JsonObject;
  const hasSeveral = several !== undefined && several !== null;
  if (hasSeveral === (one !== undefined && one !== null)) {
    throw new BadRequest('Name knowledgebase_id, or knowledgebase_ids.', 'knowledgebase_id');
  }
  const baseIds = (hasSeveral ? several : [one]) as readonly string[];
  return { request, baseIds, topK: (topK ?? undefined) as number | undefined };
}
