import { Conflict } from '../../errors.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** What it can't do, as a test on the request and the field that asks for it. */
const LIMITS: readonly { readonly param: string; readonly what: string; asks(body: JsonObject): boolean }[] = [
  { param: 'n', what: 'gives one answer only', asks: ({ n }) => typeof n === 'number' && n > 1 },
  {
    param: 'best_of',
    what: 'gives one answer only',
    asks: ({ best_of: best }) => typeof best === 'number' && best > 1,
  },
  { param: 'echo', what: 'does not repeat the prompt', asks: ({ echo }) => echo === true },
  { param: 'suffix', what: 'does not fill gaps', asks: ({ suffix }) => typeof suffix === 'string' && suffix !== '' },
  { param: 'tool_choice', what: 'cannot call tools', asks: forcesTool },
  {
    param: 'response_format',
    what: 'answers as plain text only',
    asks: ({ response_format: format }) => isJsonObject(format) && format.type !== 'text',
  },
  {
    param: 'logprobs',
    what: 'has no probabilities',
    asks: ({ logprobs }) => logprobs === true || typeof logprobs === 'number',
  },
  {
    param: 'modalities',
    what: 'answers as text only',
    asks: ({ modalities }) => Array.isArray(modalities) && modalities.some((modality) => modality !== 'text'),
  },
];

/**
 * Refuses what the builtin backend would otherwise silently leave out.
 * @throws Conflict `capability_not_supported` that names the field
 */
export function refuseUnsupported(body: JsonObject): void {
  const limit = LIMITS.find(({ asks }) => asks(body));
  if (limit) throw unsupported(limit.what, limit.param);
  for (const [index, message] of objectsOf(body.messages).entries()) {
    const part = objectsOf(message.content).findIndex(({ type }) => type !== 'text');
    if (part >= 0) throw unsupported('reads text only', `messages[${index}].content[${part}]`);
  }
}

function forcesTool({ tool_choice: choice }: JsonObject): boolean {
  return choice === 'required' || isJsonObject(choice);
}

function unsupported(what: string, param: string): Conflict {
  return new Conflict('capability_not_supported', `The builtin model ${what}: ${param} asks for more.`, param);
}
