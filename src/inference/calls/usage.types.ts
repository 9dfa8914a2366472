import { Field, Int, ObjectType } from 'type-graphql';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** 2^31 - 1. What an upstream tells beyond it, of one kind or of all, is no number of tokens. */
const MOST_TOKENS = 2_147_483_647;

/** Tokens of a call (docs/api.md, Calls of models). */
@ObjectType({ simpleResolvers: true, description: 'Tokens that a call used.' })
export class Usage {
  @Field(() => Int, { description: 'Of what went in.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'Of what came out.' })
  completionTokens!: number;

  @Field(() => Int, { description: 'Both together.' })
  totalTokens!: number;
}

/** The typed form of a `usage` member; null where there is none. */
export function toUsage(value: unknown): Usage | null {
  const metered = toMeteredUsage(value);
  return (
    metered && {
      promptTokens: metered.promptTokens,
      completionTokens: metered.completionTokens,
      totalTokens: metered.promptTokens + metered.completionTokens,
    }
  );
}

/** What a model server says of its usage; null where it says nothing that can be counted. */
export function toMeteredUsage(value: unknown): MeteredUsage | null {
  if (!isJsonObject(value)) return null;
  const promptTokens = value.prompt_tokens ?? value.input_tokens;
  // Some servers leave out what follows from the others.
  const completionTokens =
    value.completion_tokens ?? value.output_tokens ?? Number(value.total_tokens) - Number(promptTokens);
  return isCount(promptTokens) && isCount(completionTokens) && isCount(promptTokens + completionTokens)
    ? { promptTokens, completionTokens, precision: 'exact' }
    : null;
}

/** The `usage` member of an answer whose tokens were counted here. */
export function toUsageMember(usage: MeteredUsage): JsonObject {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

/** What a model server told of its usage, with what it left out. */
export function completedUsage(told: JsonObject, usage: MeteredUsage): JsonObject {
  const total = isCount(told.total_tokens) ? { total_tokens: told.total_tokens } : {};
  return { ...told, ...toUsageMember(usage), ...total };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}
