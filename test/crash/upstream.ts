import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** The only model. */
export const MODEL = 'scripted';

/** How an answer is to be given; it travels in the request. */
export interface Pace {
  /** Events of a stream; each has one word. */
  readonly pieces: number;
  /** Before each of them, or before a whole answer. */
  readonly milliseconds: number;
  /** The end of the answer waits until this gate is opened. */
  readonly gate?: string;
}

/** What the model server knows of one request. */
export interface Seen {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly pieces: number;
  /** Everything has been sent. */
  whole: boolean;
  /** How often it came; more than once is somebody's mistake. */
  times: number;
  /** Resolves when the connection of its answer is given back or gone, with the time by `performance.now()`. */
  readonly closed: Promise<number>;
}

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Ask {
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: string | readonly Part[] }[];
  readonly pace?: Pace;
}

/** What llama.cpp's server answers, with a 500, where its model has no eyes. */
export const NO_IMAGES = 'image input is not supported';

const HEAD = { id: 'chatcmpl-1', created: 1_760_000_000, model: MODEL };

/** A model server that remembers what really happened. A prompt is the mark of its request. */
export class Upstream {
  /** By mark. */
  readonly seen = new Map<string, Seen>();
  private readonly gates = new Map<string, PromiseWithResolvers<void>>();
  private readonly server = createServer((request, response) => void this.handle(request, response));

  static async start(): Promise<Upstream> {
    const upstream = new Upstream();
    upstream.server.keepAliveTimeout = 600_000;
    upstream.server.listen(0, '127.0.0.1');
    await once(upstream.server, 'listening');
    return upstream;
  }

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Lets the answers end that wait for a gate, and those that come to it later. */
  openGate(name: string): void {
    this.gate(name).resolve();
  }

  async close(): Promise<void> {
    for (const gate of this.gates.values()) gate.resolve();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private gate(name: string): PromiseWithResolvers<void> {
    const gate = this.gates.get(name) ?? Promise.withResolvers<void>();
    this.gates.set(name, gate);
    return gate;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      sendJson(response, { object: 'list', data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'tests' }] });
      return;
    }
    // A gateway that died does not read on.
    response.on('error', () => undefined);
    const body = await text(request).catch(() => undefined);
    // Its process died while it was sent.
    if (body === undefined) return;
    const ask = JSON.parse(body) as Ask;
    if (hasImage(ask))
      return sendJson(response, { error: { message: NO_IMAGES, type: 'server_error', code: 500 } }, 500);
    const pace = ask.pace ?? { pieces: 1, milliseconds: 0 };
    const seen = this.remember(markOf(ask), pace, response);
    await (ask.stream ? this.sendStream(response, seen, pace) : this.sendWhole(response, seen, pace));
  }

  /** Numbers that no estimate hits. */
  private remember(mark: string, { pieces }: Pace, response: ServerResponse): Seen {
    const known = this.seen.get(mark);
    if (known) {
      known.times += 1;
      return known;
    }
    const number = this.seen.size;
    const promptTokens = 1_000 + (number % 997);
    const completionTokens = 3_000 + (number % 1_009);
    const closed = new Promise<number>((resolve) => response.once('close', () => resolve(performance.now())));
    const seen = { promptTokens, completionTokens, pieces, whole: false, times: 1, closed };
    this.seen.set(mark, seen);
    return seen;
  }

  private async sendWhole(response: ServerResponse, seen: Seen, { milliseconds, gate }: Pace): Promise<void> {
    await sleep(milliseconds);
    if (gate !== undefined) await this.gate(gate).promise;
    const message = { role: 'assistant', content: 'word '.repeat(seen.pieces) };
    // Before it is sent: a client must not know more than this record.
    seen.whole = true;
    sendJson(response, {
      ...HEAD,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: usageOf(seen),
    });
  }

  private async sendStream(response: ServerResponse, seen: Seen, { milliseconds, gate }: Pace): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]));
    for (let piece = 0; piece < seen.pieces; piece += 1) {
      await sleep(milliseconds);
      if (response.destroyed) return;
      response.write(frame([{ index: 0, delta: { content: 'word ' }, finish_reason: null }]));
    }
    if (gate !== undefined) await this.gate(gate).promise;
    if (response.destroyed) return;
    seen.whole = true;
    response.write(frame([{ index: 0, delta: {}, finish_reason: 'stop' }]));
    response.end(`${frame([], { usage: usageOf(seen) })}data: [DONE]\n\n`);
  }
}

function markOf({ messages }: Ask): string {
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text).join('');
}

function usageOf({ promptTokens, completionTokens }: Seen): object {
  const [prompt_tokens, completion_tokens] = [promptTokens, completionTokens];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function frame(choices: readonly object[], members: object = {}): string {
  return `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...members })}\n\n`;
}

function hasImage({ messages }: Ask): boolean {
  return messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image_url'),
  );
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
