import { countTokens } from '../../../src/inference/calls/tokenizer.js';
import { json } from './scripted-backend.js';
import type { ReceivedRequest, Script } from './scripted-backend.js';

/** An image of 320,000 bytes. */
export const IMAGE = `data:image/png;base64,${'iVBORw0K'.repeat(40_000)}`;

const BOUNDS =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|n_predict|num_predict|max_new_tokens|max_length|min_tokens|budget_tokens)":"?(-?[0-9]+)/g;
/** Bounds of which nothing is none. */
const NONE =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|n_predict|num_predict|max_new_tokens|max_length)":"?(?:-|0)/;
const COUNTS = /"(?:n|best_of|num_return_sequences|n_cmpl)":"?([0-9]+)/g;

/** What a server uses that reads all that it is sent, and gives the longest answers that any of the bounds allows. */
export async function greedyUsage({
  body,
  path,
}: ReceivedRequest): Promise<{ prompt_tokens: number; completion_tokens: number }> {
  const { model: _model, ...read } = body;
  const text = JSON.stringify(read);
  const bounds = [...text.matchAll(BOUNDS)].map(([, bound]) => Number(bound));
  const longest = bounds.length === 0 || NONE.test(text) ? Math.max(30_000, ...bounds) : Math.max(...bounds);
  const answers = Math.max(1, ...[...text.matchAll(COUNTS)].map(([, count]) => Number(count)));
  const messages = (body.messages ?? body.input ?? []).length;
  const overhead = typeof messages === 'number' && typeof body.input !== 'string' ? 5 * messages : 5;
  const withoutImages = text.replaceAll(IMAGE, '');
  const images = (text.length - withoutImages.length) / IMAGE.length;
  return {
    prompt_tokens: (await countTokens([textsOf(JSON.parse(withoutImages))])) + overhead + 1_600 * images,
    completion_tokens: path.endsWith('/embeddings') ? 0 : longest * answers,
  };
}

/** All texts of a body, one behind the other. */
function textsOf(value: unknown): string {
  if (typeof value === 'string') return `${value} `;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, member]) => `${name.length > 40 ? name : ''}${textsOf(member)}`)
    .join('');
}

/**
 * Answers a request of any operation.
 * @param usage default: that of a greedy server
 */
export function greedyAnswer(request: ReceivedRequest, usage: Promise<unknown> = greedyUsage(request)): Script {
  const { path } = request;
  const isResponse = path.endsWith('/responses');
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] }];
  const choices = [{ index: 0, text: 'Hello.', message: { role: 'assistant', content: 'Hello.' } }];
  if (path.endsWith('/embeddings')) return { ...json(200, {}), pieces: piecesOf(usage, vectorsOf(request)) };
  const body = isResponse ? { id: 'resp_1', output } : { id: 'chatcmpl-1', choices };
  return { ...json(200, {}), pieces: piecesOf(usage, body) };
}

async function* piecesOf(usage: Promise<unknown>, body: object): AsyncGenerator<string> {
  yield JSON.stringify({ ...body, usage: await usage });
}

function vectorsOf({ body }: ReceivedRequest): object {
  return { data: [body.input].flat().map((_text: unknown, index: number) => ({ index, embedding: [1, 2] })) };
}
