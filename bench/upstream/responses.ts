const DELTAS = 200;
const PLACE = { item_id: 'msg_bench', output_index: 0, content_index: 0 };

function responseObject(model: string, text: string, usage: object | null): object {
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const message = { type: 'message', id: PLACE.item_id, role: 'assistant', status: 'completed', content: [part] };
  return {
    id: 'resp_bench',
    object: 'response',
    created_at: 1_700_000_000,
    status: usage ? 'completed' : 'in_progress',
    model,
    instructions: null,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    output: usage ? [message] : [],
    usage,
  };
}

const USAGE = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 220,
};

/** The events of a stream as a complete server sends them, so that a gateway has nothing to add. */
function events(): string {
  const words = Array.from({ length: DELTAS }, (_, index) => `word${index} `);
  const text = words.join('');
  const item = { type: 'message', id: PLACE.item_id, role: 'assistant', status: 'in_progress', content: [] };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const all: [string, object][] = [
    ['response.created', { response: responseObject('burst', '', null) }],
    ['response.in_progress', { response: responseObject('burst', '', null) }],
    ['response.output_item.added', { output_index: 0, item }],
    ['response.content_part.added', { ...PLACE, part }],
    ...words.map((delta): [string, object] => ['response.output_text.delta', { ...PLACE, delta, logprobs: [] }]),
    ['response.output_text.done', { ...PLACE, text, logprobs: [] }],
    ['response.content_part.done', { ...PLACE, part: { ...part, text } }],
    [
      'response.output_item.done',
      { output_index: 0, item: { ...item, status: 'completed', content: [{ ...part, text }] } },
    ],
    ['response.completed', { response: responseObject('burst', text, USAGE) }],
  ];
  return all
    .map(([type, members], sequence) => {
      const data = JSON.stringify({ type, sequence_number: sequence, ...members });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join('');
}

/** A whole response. */
export const responseAnswer: string = JSON.stringify(responseObject('plain', 'Lunch is at noon. '.repeat(20), USAGE));

/** A streamed response with 200 pieces of text. */
export const responseEvents: string = events();
