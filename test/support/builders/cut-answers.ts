import { setImmediate as nextTurn } from 'node:timers/promises';
import { sseClient, wsClient } from './graphql-clients.js';
import type { Connection } from './graphql-clients.js';
import { namedEvent, responseObject } from './response-streams.js';
import { chunk, DONE, stream } from '../servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../servers/scripted-backend.js';
import type { AnyJson } from '../probes/any-json.js';

/** What a model is to answer, told in a prompt that only it understands. */
interface Told {
  readonly pieces: readonly string[];
}

/** The texts of an answer as a client has put them together. */
export interface ReadAnswer {
  readonly content: string;
  /** The text in the arguments of the call of a tool. */
  readonly argument: string;
  /** All that the client has got. */
  readonly all: string;
}

/** One way to a streamed answer. */
type Way = readonly [name: string, read: (pieces: readonly string[], prefix?: string) => Promise<ReadAnswer>];

const PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const CALL = { item_id: 'fc_1', output_index: 1 };

/** A model server that answers in the pieces that its prompt tells it. The bytes of its stream are cut as well. */
export function cutAnswer(request: ReceivedRequest): Script {
  const { pieces } = JSON.parse(Buffer.from(promptIn(request).split(' ')[0] ?? '', 'base64url').toString()) as Told;
  const events = request.path.endsWith('/responses') ? responseEvents(pieces) : chatChunks(pieces);
  return { ...stream(), pieces: cutBytes(events, (pieces[0]?.length ?? 0) / Math.max(1, pieces.join('').length)) };
}

/** The prompt that a model server was sent. */
export function promptIn({ path, body }: ReceivedRequest): string {
  return path.endsWith('/responses') ? body.input : body.messages[0].content;
}

/** Streams answers that are cut as a test says, over each transport, as chat and as responses. */
export class CutAnswers {
  private readonly ws;
  private readonly sse;

  constructor(private readonly target: Connection) {
    this.ws = wsClient(target, { retryAttempts: 0, lazy: true });
    this.sse = sseClient(target, { retryAttempts: 0 });
  }

  /** Every way. What stands in the prompt before the pieces' code is read by the policies alone. */
  get ways(): readonly Way[] {
    return [
      ['chat, REST', (pieces, beside) => this.rest('/v1/chat/completions', chatBody(pieces, beside))],
      ['chat, graphql-ws', (pieces, beside) => this.graphql(this.ws as never, CHAT, chatBody(pieces, beside))],
      ['chat, graphql-sse', (pieces, beside) => this.graphql(this.sse as never, CHAT, chatBody(pieces, beside))],
      ['responses, REST', (pieces, beside) => this.rest('/v1/responses', responseBody(pieces, beside))],
      [
        'responses, graphql-ws',
        (pieces, beside) => this.graphql(this.ws as never, RESPONSES, responseBody(pieces, beside)),
      ],
      [
        'responses, graphql-sse',
        (pieces, beside) => this.graphql(this.sse as never, RESPONSES, responseBody(pieces, beside)),
      ],
    ];
  }

  async close(): Promise<void> {
    await this.ws.dispose();
    this.sse.dispose();
  }

  private async rest(path: string, body: object): Promise<ReadAnswer> {
    const response = await fetch(this.target.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.target.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream: true }),
    });
    const text = await response.text();
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']): AnyJson => JSON.parse(data));
    return toReadAnswer(events);
  }

  private async graphql(client: GraphqlClient, query: string, body: object): Promise<ReadAnswer> {
    const events: AnyJson[] = [];
    for await (const { data, errors } of client.iterate({ query, variables: { body } })) {
      events.push(data ? Object.values(data)[0]?.raw : { error: errors });
    }
    return toReadAnswer(events);
  }
}

const CHAT = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { raw } }';
const RESPONSES = 'subscription ($body: JSON!) { responseStream(body: $body) { raw } }';

interface GraphqlClient {
  iterate(operation: object): AsyncIterable<{ data?: Record<string, AnyJson> | null; errors?: unknown }>;
}

function promptOf(pieces: readonly string[], beside = ''): string {
  return `${Buffer.from(JSON.stringify({ pieces })).toString('base64url')} | ${beside}`;
}

function chatBody(pieces: readonly string[], beside?: string): object {
  return { model: 'scripted', messages: [{ role: 'user', content: promptOf(pieces, beside) }] };
}

function responseBody(pieces: readonly string[], beside?: string): object {
  return { model: 'scripted', input: promptOf(pieces, beside) };
}

/** The text goes out as content and, in JSON, as the arguments of a call, cut at the same places. */
function chatChunks(pieces: readonly string[]): string[] {
  const call = (args: string) =>
    chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: args } }] });
  return [
    ...pieces.map((content) => chunk({ content })),
    call('{"text":"'),
    ...pieces.map((piece) => call(inJson(piece))),
    call('"}'),
    chunk({}, 'tool_calls'),
    DONE,
  ];
}

function responseEvents(pieces: readonly string[]): string[] {
  const text = pieces.join('');
  const args = `{"text":"${inJson(text)}"}`;
  const events: [string, object][] = [
    ['response.created', { response: responseObject('', { status: 'in_progress', output: [], usage: null }) }],
    ...pieces.map((delta): [string, object] => ['response.output_text.delta', { ...PLACE, delta }]),
    ['response.output_text.done', { ...PLACE, text }],
    ...['{"text":"', ...pieces.map(inJson), '"}'].map((delta): [string, object] => [
      'response.function_call_arguments.delta',
      { ...CALL, delta },
    ]),
    ['response.function_call_arguments.done', { ...CALL, arguments: args }],
    ['response.completed', { response: responseObject(text) }],
  ];
  return events.map(([type, members], sequence) => namedEvent(type, { sequence_number: sequence, ...members }));
}

/**
 * Writes the events one by one, but the bytes of one of them in two pieces: within the first character of several bytes
 * behind this share of all, or there.
 */
async function* cutBytes(events: readonly string[], share: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(events.join(''));
  const from = Math.floor(bytes.length * share);
  const inside = bytes.findIndex((byte, at) => at >= from && (byte & 0xc0) === 0x80);
  const cut = inside < 0 ? from : inside;
  let start = 0;
  for (const event of events) {
    const end = start + Buffer.byteLength(event);
    if (cut > start && cut < end) {
      yield bytes.subarray(start, cut);
      await nextTurn();
      start = cut;
    }
    yield bytes.subarray(start, end);
    start = end;
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toReadAnswer(events: readonly AnyJson[]): ReadAnswer {
  const choices = events.flatMap((event): AnyJson[] => event.choices ?? []);
  const deltas = (type: string) => events.filter((event) => event.type === type).map(({ delta }) => delta);
  const pieces = choices.map(({ delta }) => delta.content ?? '');
  const calls = choices.flatMap(({ delta }): AnyJson[] => delta.tool_calls ?? []);
  const args = [
    ...calls.map((call) => call.function?.arguments ?? ''),
    ...deltas('response.function_call_arguments.delta'),
  ];
  return {
    content: [...pieces, ...deltas('response.output_text.delta')].join(''),
    argument: textOf(args.join('')),
    all: JSON.stringify(events),
  };
}

function textOf(args: string): string {
  try {
    return JSON.parse(args).text;
  } catch {
    return `no JSON: ${args}`;
  }
}
