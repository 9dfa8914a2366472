import { PlatformError } from '../../errors.js';
import type { Models, TranslationModel } from '../../inference/domain.js';
import { BYOK_HEADER } from '../../access/caller.js';
import type { CallOwner } from '../../access/caller.js';
import { findExcess } from '../../platform/json/json-depth.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { bracketNotation } from '../protection/notations/bracket-notation.js';
import type { CallOrder } from './call-order.js';
import { answerSchema, textId, toMessages } from './chat-prompt.js';
import type { ChatGuidance } from './chat-prompt.js';
import type { Engine, EngineAnswer, EngineAnswers, EngineBatch } from './engine.js';
import type { TranslationUsage } from './translator.js';

/** What a call has room for: small windows hold it, with its answer, in any language. */
const MAX_TEXTS = 32;
const MAX_CHARACTERS = 3_000;
/** Calls of one translation at once. */
const AT_ONCE = 8;
/** Tokens of an answer: as many as its texts have characters, and some for a model that thinks first. */
const LEAST_TOKENS = 1_024;
/** UTF-16 units of an answer that is looked at, and what JSON it may hold. */
const LONGEST_ANSWER = 400_000;
const LIMITS = { depth: 4, nodes: 2_000, items: 2_000 };

const REFUSED = 'The model refused to translate it.';
const CUT = 'The answer of the model was cut off.';
const NO_JSON = 'The model did not answer in the form that was asked for.';

/** Models that take no schema, by the tenant that has met them; some refuse whole requests for it. */
export class SchemaRefusals {
  private readonly known = new Set<string>();

  has(tenantId: string, model: string): boolean {
    return this.known.has(`${tenantId} ${model}`);
  }

  add(tenantId: string, model: string): void {
    if (this.known.size >= 10_000) this.known.clear();
    this.known.add(`${tenantId} ${model}`);
  }
}

interface ChatEngineParts {
  readonly models: Pick<Models, 'complete'>;
  readonly caller: CallOwner;
  readonly refusals: SchemaRefusals;
  readonly guidance: Omit<ChatGuidance, 'instruction'>;
  readonly order: CallOrder;
}

/** Has a chat model translate: texts go as one JSON object and come back as one. */
export class ChatEngine implements Engine {
  readonly notation = bracketNotation;
  readonly keepsGlossary = true;
  readonly canRepair = true;
  readonly maxTexts = MAX_TEXTS;
  readonly maxCharacters = MAX_CHARACTERS;
  readonly concurrency: number;
  private used: TranslationUsage = { promptTokens: 0, completionTokens: 0 };

  constructor(
    readonly model: TranslationModel,
    private readonly parts: ChatEngineParts,
  ) {
    this.concurrency = Math.min(AT_ONCE, model.maxConcurrency ?? AT_ONCE);
  }

  get usage(): TranslationUsage {
    return this.used;
  }

  async translate(batch: EngineBatch): Promise<EngineAnswers> {
    try {
      return readAnswer(await this.complete(batch), batch.texts.length);
    } catch (error) {
      if (!isTooLong(error) || batch.texts.length < 2) throw error;
      const middle = Math.ceil(batch.texts.length / 2);
      const first = await this.translate({ ...batch, texts: batch.texts.slice(0, middle) });
      const second = await this.translate({ ...batch, texts: batch.texts.slice(middle) });
      return { answers: [...first.answers, ...second.answers], reason: first.reason ?? second.reason };
    }
  }

  private async complete(batch: EngineBatch): Promise<JsonObject> {
    const { caller, refusals } = this.parts;
    const { id } = this.model;
    if (refusals.has(caller.tenantId, id)) return this.call(batch, false);
    try {
      return await this.call(batch, true);
    } catch (error) {
      if (!mayBeTheSchema(error)) throw error;
      const answer = await this.call(batch, false);
      refusals.add(caller.tenantId, id);
      return answer;
    }
  }

  private async call(batch: EngineBatch, hasSchema: boolean): Promise<JsonObject> {
    const { models, caller, guidance, order } = this.parts;
    const { instruction } = this.notation;
    const count = batch.texts.length;
    const characters = batch.texts.reduce((sum, { text }) => sum + text.length, 0);
    const schema = { name: 'translations', strict: true, schema: answerSchema(count) };
    const request = {
      model: this.model.id,
      messages: toMessages(batch, { ...guidance, instruction }),
      max_tokens: LEAST_TOKENS + 2 * characters + 16 * count,
      ...(hasSchema && { temperature: 0, response_format: { type: 'json_schema', json_schema: schema } }),
    };
    // Texts are as the transforms have them already: those of our own markers and names would be found, too.
    const call = { area: 'translate', request, transforms: null } as const;
    const answer = await order.run((context) => models.complete(caller, { ...call, context }));
    const [usage] = objectsOf([answer.usage]);
    this.used = {
      promptTokens: this.used.promptTokens + numberOf(usage?.prompt_tokens),
      completionTokens: this.used.completionTokens + numberOf(usage?.completion_tokens),
    };
    return answer;
  }
}

/** The translations of an answer. One that is refused or cut has none; names that nobody asked for are left out. */
function readAnswer(answer: JsonObject, count: number): EngineAnswers {
  const none = (reason: string): EngineAnswers => ({ answers: Array.from({ length: count }, () => undefined), reason });
  const [choice] = objectsOf(answer.choices);
  const [message] = objectsOf([choice?.message]);
  const isRefused = typeof message?.refusal === 'string' && message.refusal !== '';
  if (choice?.finish_reason === 'content_filter' || isRefused) return none(REFUSED);
  if (choice?.finish_reason === 'length') return none(CUT);
  const json = parsedObject(message?.content);
  if (!json) return none(NO_JSON);
  const answers = Array.from({ length: count }, (_, index): EngineAnswer | undefined => {
    const id = textId(index);
    const text = Object.hasOwn(json, id) ? json[id] : undefined;
    return typeof text === 'string' ? { text: text.toWellFormed(), detectedLanguage: null } : undefined;
  });
  return { answers };
}

/** The JSON object of a text, also in a fence of code. Whatever else stands around it makes it none. */
function parsedObject(content: unknown): JsonObject | undefined {
  // JSON within a text was not looked at when the answer was read.
  if (typeof content !== 'string' || content.length > LONGEST_ANSWER) return undefined;
  const json = withoutFence(withoutThoughts(content.trim()));
  if (findExcess(Buffer.from(json), LIMITS)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param text without white space at its ends */
function withoutThoughts(text: string): string {
  const [start, end] = ['<think>', '</think>'];
  const last = text.startsWith(start) ? text.lastIndexOf(end) : -1;
  return last < 0 ? text : text.slice(last + end.length).trim();
}

/** No expression, since the white space within a fence may be long. @param text without white space at its ends */
function withoutFence(text: string): string {
  const fence = '```';
  if (!text.startsWith(fence) || !text.endsWith(fence) || text.length < 2 * fence.length) return text;
  const inside = text.slice(fence.length, -fence.length);
  return (inside.startsWith('json') ? inside.slice('json'.length) : inside).trim();
}

function mayBeTheSchema(error: unknown): boolean {
  if (!(error instanceof PlatformError) || isTooLong(error) || error.details.param === BYOK_HEADER) return false;
  return error.status === 400 || error.status === 422 || error.code === 'capability_not_supported';
}

function isTooLong(error: unknown): boolean {
  return error instanceof PlatformError && (error.details.reason === 'context_length_exceeded' || error.status === 413);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
