import type { Script } from '../servers/scripted-backend.js';
import { json } from '../servers/scripted-backend.js';
import type { AnyJson } from '../probes/any-json.js';

/** A named event as a complete upstream sends it. */
export function namedEvent(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** A response as the scripted backend answers it. */
export function responseObject(text: string, members: object = {}): object {
  return {
    id: 'resp_upstream_1',
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: 'scripted',
    output: [messageOf(text)],
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    ...members,
  };
}

function messageOf(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

/** Answers with a whole response. */
export function response(text: string, members: object = {}): Script {
  return json(200, responseObject(text, members));
}

/** The events of a stream to which nothing has to be added. */
export function completeEvents(...texts: string[]): string[] {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const started = responseObject('', { status: 'in_progress', output: [], usage: null });
  const text = texts.join('');
  const events: [string, object][] = [
    ['response.created', { response: started }],
    [
      'response.output_item.added',
      { output_index: 0, item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] } },
    ],
    ['response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }],
    ...texts.map((delta): [string, object] => ['response.output_text.delta', { ...place, delta }]),
    ['response.output_text.done', { ...place, text }],
    ['response.output_item.done', { output_index: 0, item: messageOf(text) }],
    ['response.completed', { response: responseObject(text) }],
  ];
  return events.map(([type, members], sequence) => namedEvent(type, { sequence_number: sequence, ...members }));
}

/** The data of every named event of an SSE text. */
export function namedEventsOf(text: string): AnyJson[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '' && frame !== 'data: [DONE]')
    .map((frame) => {
      const [name, data] = frame.split('\n');
      const event = JSON.parse(data?.slice('data: '.length) ?? '');
      if (name !== `event: ${event.type ?? 'error'}`) throw new Error(`${name} is not ${event.type}`);
      return event;
    });
}
