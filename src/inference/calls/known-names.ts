import type { TextFormat } from './text-transform.js';

/** Names that these interfaces and JSON Schema have: no private ones. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  (
    'additionalProperties allOf annotations anyOf arguments audio call_id chat_template choices citations code const ' +
    'content content_index created created_at data default definitions delta description detail dimensions documents ' +
    'effort embedding encoding_format encrypted_content end_index enum error examples expires_at file file_data ' +
    'file_id file_url filename finish_reason format frequency_penalty function function_call functions id image_url ' +
    'include include_usage incomplete_details index input input_audio instructions item item_id items json_schema ' +
    'logit_bias logprobs max max_completion_tokens max_output_tokens max_tokens max_tool_calls maximum maxItems ' +
    'maxLength message messages metadata min minimum minItems minLength model n name not object obfuscation oneOf ' +
    'output output_index parallel_tool_calls parameters part partial pattern presence_penalty previous_response_id ' +
    'prompt properties queries query quote reasoning reasoning_content reasoning_effort refusal relevance_score required response ' +
    'response_format results role schema seed sequence_number service_tier start_index status stop store stream ' +
    'stream_options strict suffix summary summary_index system_fingerprint temperature text text_config title token ' +
    'tool_call_id tool_calls tool_choice tools top_k top_n top_logprobs top_p transcript truncation type url usage user ' +
    'verbosity'
  ).split(' '),
);
/** Shorter numbers are no phone, no card, and nobody's. */
const SMALLEST_TEXT_NUMBER = 1_000_000;

/** What changes the texts of one request or answer, one by one. */
export interface ChangedTexts {
  transformText(text: string, format: TextFormat): string | Promise<string>;
}

/** What the name of a member becomes: one that these interfaces have stays, since it tells nothing of anybody. @throws as the texts do */
export function transformName(name: string, texts: ChangedTexts): string | Promise<string> {
  return KNOWN_NAMES.has(name) ? name : texts.transformText(name, 'text');
}

/** What a number becomes: one that could be somebody's phone or card is read as a text. @throws as the texts do */
export async function transformNumber(value: number, texts: ChangedTexts): Promise<number | string> {
  if (Math.abs(value) < SMALLEST_TEXT_NUMBER) return value;
  const text = String(value);
  const changed = await texts.transformText(text, 'text');
  return changed === text ? value : changed;
}
