import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnyJson } from '../probes/any-json.js';
import { play } from './scripted-backend.js';
import type { Script } from './scripted-backend.js';

/** A request that the server has received: the fields of a form as texts, its file as bytes; or a JSON body. */
export interface SpeechRequestSeen {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string[]>>;
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer } | undefined;
  readonly json: AnyJson;
}

/**
 * A real HTTP server with OpenAI's audio endpoints, that answers as a test tells it to.
 *
 * ```ts
 * const server = await startSpeechServer();
 * server.answer(json(200, { text: 'Hello.' }));
 * ```
 */
export class SpeechServer {
  readonly requests: SpeechRequestSeen[] = [];
  /** Answers a request for which there is no script. */
  byDefault: (request: SpeechRequestSeen) => Script = () => ({ pieces: ['{"text":"hello there"}'] });
  private readonly scripts: Script[] = [];
  private readonly server = createServer((request, response) => void this.handle(request, response));

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Answers the next requests so, one after another. */
  answer(...scripts: Script[]): void {
    this.scripts.push(...scripts);
  }

  reset(): void {
    this.requests.length = 0;
    this.scripts.length = 0;
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    // Whoever asked is gone, as a server is that was killed while it sent.
    if (body === undefined) return;
    if (request.url?.endsWith('/models')) return play({ pieces: ['{"data":[]}'] }, response);
    const seen = await readRequest(request, body);
    this.requests.push(seen);
    await play(this.scripts.shift() ?? this.byDefault(seen), response);
  }
}

/** Starts one on a free port. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const server = new SpeechServer();
  await server.listen();
  return server;
}

/** A WAV file of a tone: 16 bits, one channel. */
export function toneWav(seconds: number, rate = 16_000): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * rate) * 2);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(Math.round(8_000 * Math.sin(at / 9)), at);
  return Buffer.concat([wavHead(samples.length, rate), samples]);
}

/** The head of a WAV file of 16 bits and one channel. */
export function wavHead(dataBytes: number, rate = 16_000): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE((36 + dataBytes) >>> 0, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(dataBytes >>> 0, 40);
  return head;
}

/** @returns undefined where the connection ended in the middle */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

async function readRequest(request: IncomingMessage, body: Buffer): Promise<SpeechRequestSeen> {
  const type = request.headers['content-type'] ?? '';
  const seen = { path: request.url ?? '', authorization: request.headers.authorization };
  if (!type.startsWith('multipart/'))
    return { ...seen, fields: {}, file: undefined, json: JSON.parse(body.toString()) };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string[]> = {};
  for (const name of new Set(form.keys())) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    if (texts.length > 0) fields[name] = texts;
  }
  const file = form.get('file') as File | null;
  const read = file && { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
  return { ...seen, fields, file: read ?? undefined, json: undefined };
}
