import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnyJson } from '../probes/any-json.js';

/** A piece of an answer: bytes to be written, or something to wait for before the next piece is. */
export type Piece = string | Uint8Array | Promise<unknown>;

/** How one request is answered. */
export interface Script {
  /** Default 200. */
  readonly status?: number;
  /** Default `application/json`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces?: Iterable<Piece> | AsyncIterable<Piece>;
  /**
   * `end` (default): a clean end. `cut`: the connection is destroyed after the last piece. `hang`: nothing more comes.
   * `silent`: not even a status line. `reset`: the connection is destroyed in place of a status line.
   */
  readonly ending?: 'end' | 'cut' | 'hang' | 'silent' | 'reset';
}

/** A request that the backend has received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnyJson;
  /** The client's port: the same for requests on one connection. */
  readonly port: number;
  /** Resolves when the connection closed before the answer had ended. */
  readonly gone: Promise<void>;
}

/**
 * A real HTTP server that speaks the chat-completions interface, and any other, as a test tells it to.
 *
 * ```ts
 * const backend = await startScriptedBackend();
 * const platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
 * const gate = Promise.withResolvers<void>();
 * backend.answer(stream(chunk({ content: 'Hel' }), gate.promise, chunk({ content: 'lo' }), DONE));
 * ```
 */
export class ScriptedBackend {
  /** Requests to any path but `/models`, in the order of their arrival. */
  readonly requests: ReceivedRequest[] = [];
  /** What `/models` answers; a script in its place answers instead. */
  models: readonly string[] | Script = ['scripted'];
  /** Answers a request for which there is no script. */
  byDefault: (request: ReceivedRequest) => Script = () => completion('Hello.');
  /** How often `/models` was asked for. */
  lists = 0;
  private readonly scripts: Script[] = [];
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private readonly waiting: ((request: ReceivedRequest) => void)[] = [];

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Answers the next requests so, one after another; without a script, as `byDefault` says. */
  answer(...scripts: Script[]): void {
    this.scripts.push(...scripts);
  }

  /** Drops the scripts that no request has come for. */
  forget(): void {
    this.scripts.length = 0;
  }

  /** Forgets the requests that have come, and the scripts that none has come for. */
  reset(): void {
    this.requests.length = 0;
    this.forget();
  }

  /** The next request that is not there yet. */
  nextRequest(): Promise<ReceivedRequest> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param port 0: any that is free */
  async listen(port = 0): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    if (request.url?.endsWith('/models')) {
      this.lists += 1;
      await play(Array.isArray(this.models) ? modelList(this.models) : (this.models as Script), response);
      return;
    }
    const gone = new Promise<void>((resolve) => {
      response.once('close', () => !response.writableFinished && resolve());
    });
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
      port: request.socket.remotePort ?? 0,
      gone,
    };
    this.requests.push(received);
    const script = this.scripts.shift() ?? this.byDefault(received);
    this.waiting.shift()?.(received);
    await play(script, response);
  }
}

/** Starts a scripted backend on a free port of 127.0.0.1. */
export async function startScriptedBackend(): Promise<ScriptedBackend> {
  const backend = new ScriptedBackend();
  await backend.listen();
  return backend;
}

/** The end mark of a stream. */
export const DONE = 'data: [DONE]\n\n';

/** The usage that `completion` and `usageChunk` tell. */
export const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } as const;

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'scripted' };

/** Any JSON object as an event. */
export function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** One event of a chat stream. @param finishReason null: it goes on */
export function chunk(delta: object, finishReason: string | null = null, members: object = {}): string {
  return event({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finishReason }], ...members });
}

/** The event that tells the usage. */
export function usageChunk(usage: object = USAGE): string {
  return event({ ...CHUNK, choices: [], usage });
}

/** A whole stream: role, one event for each text, finish, usage, end mark. */
export function wholeStream(...texts: string[]): string[] {
  return [
    chunk({ role: 'assistant', content: '' }),
    ...texts.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    usageChunk(),
    DONE,
  ];
}

/** Answers with events as they are given, and a clean end. */
export function stream(...pieces: Piece[]): Script {
  return { type: 'text/event-stream', pieces };
}

/** Answers with a whole JSON completion. @param members put over those of the completion */
export function completion(content: string, members: object = {}): Script {
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: USAGE,
    ...members,
  });
}

/** Answers with a status and a JSON body. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return { status, headers, pieces: [JSON.stringify(body)] };
}

/** Answers as a script does, but not before something has happened. */
export function heldUntil(gate: Promise<unknown>, script: Script): Script {
  return { ...script, pieces: [gate, ...((script.pieces ?? []) as Iterable<Piece>)] };
}

/** Begins a stream, of which nothing more comes. */
export function hanging(...pieces: Piece[]): Script {
  return { ...stream(...pieces), ending: 'hang' };
}

/** Begins a stream, and destroys the connection. */
export function cutOff(...pieces: Piece[]): Script {
  return { ...stream(...pieces), ending: 'cut' };
}

/** Answers any chat request with `Hello.`, as a stream where it asks for one. */
export function helloTo({ body }: ReceivedRequest): Script {
  return body.stream ? stream(...wholeStream('Hello.')) : completion('Hello.');
}

/** Answers with the page of some proxy. */
export function htmlPage(status: number): Script {
  return { status, type: 'text/html', pieces: ['<html><body><h1>Bad Gateway at 10.1.2.3</h1></body></html>'] };
}

/** Never answers. */
export function silence(): Script {
  return { ending: 'silent' };
}

function modelList(ids: readonly string[]): Script {
  return json(200, {
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'tests' })),
  });
}

/** Answers a request as a script says. */
export async function play(script: Script, response: ServerResponse): Promise<void> {
  const { status = 200, type = 'application/json', headers = {}, pieces = [], ending = 'end' } = script;
  if (ending === 'silent') return;
  if (ending === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': type, ...headers });
  response.flushHeaders();
  for await (const piece of pieces) {
    if (response.destroyed) return;
    const isBytes = typeof piece === 'string' || piece instanceof Uint8Array;
    if (isBytes && !response.write(piece)) await drainedOrClosed(response);
  }
  if (ending === 'end') response.end();
  if (ending === 'cut') {
    // What was written is still on its way: the cut comes after it.
    await new Promise((resolve) => response.socket?.write('', resolve));
    response.destroy();
  }
}

function drainedOrClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
