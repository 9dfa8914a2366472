import { responseObject } from '../../support/builders/response-streams.js';

/** An event of a stream, without its number. */
export type Event = readonly [type: string, members: object];

/** A whole output item that says something. */
export const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hi you', annotations: [], logprobs: [] }],
};
/** A whole call of a tool. */
export const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Bern"}',
  status: 'completed',
};
/** A whole output item of what was thought. */
export const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  status: 'completed',
  summary: [{ type: 'summary_text', text: 'So.' }],
  content: [{ type: 'reasoning_text', text: 'Hm.' }],
};
/** A whole search of the web. */
export const SEARCH = { type: 'web_search_call', id: 'ws_1', status: 'completed' };

/** How a stream begins. */
export const created: Event = [
  'response.created',
  { response: responseObject('', { status: 'in_progress', output: [] }) },
];
/** The events of a text. @param place of its part */
export const text = (place: object): Event[] => [
  ['response.output_text.delta', { ...place, delta: 'Hi ' }],
  ['response.output_text.delta', { ...place, delta: 'you' }],
  ['response.output_text.done', { ...place, text: 'Hi you' }],
];
/** The events of the arguments of a call. @param place of its item */
export const given = (place: object): Event[] => [
  ['response.function_call_arguments.delta', { ...place, delta: '{"city":' }],
  ['response.function_call_arguments.delta', { ...place, delta: '"Bern"}' }],
  ['response.function_call_arguments.done', { ...place, arguments: CALL.arguments }],
];
/** The events of what is thought. @param place of its item */
export const thought = (place: object): Event[] => [
  ['response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta: 'So.' }],
  ['response.reasoning_text.delta', { ...place, content_index: 0, delta: 'Hm.' }],
];
/** The end of an item. */
export const done = (index: number, item: object): Event => [
  'response.output_item.done',
  { output_index: index, item },
];
/** The end of a stream. */
export const completed = (...output: object[]): Event => [
  'response.completed',
  { response: responseObject('', { output }) },
];

/** Where the text of `MESSAGE` stands. */
export const IN_MESSAGE = { item_id: 'msg_1', output_index: 0, content_index: 0 };
/** The beginnings that are put in before a text. */
export const ADDED = ['output_item.added', 'content_part.added'];
/** The events of a text, by their names. */
export const DELTAS = ['output_text.delta', 'output_text.delta', 'output_text.done'];
