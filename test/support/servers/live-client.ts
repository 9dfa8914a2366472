import { once } from 'node:events';
import WebSocket from 'ws';
import type { AnyJson } from '../probes/any-json.js';

/** A client of `/v1/realtime` that keeps what it gets. */
export class LiveClient {
  readonly events: AnyJson[] = [];
  readonly closed: Promise<[number, Buffer]>;
  private readonly waiting: { readonly fits: (event: AnyJson) => boolean; readonly done: (event: AnyJson) => void }[] =
    [];

  constructor(readonly socket: WebSocket) {
    this.closed = once(socket, 'close') as Promise<[number, Buffer]>;
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as AnyJson;
      this.events.push(event);
      for (const waiter of this.waiting) if (waiter.fits(event)) waiter.done(event);
    });
    socket.on('error', () => undefined);
  }

  /** The types of what came, in order. */
  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  send(event: object): void {
    this.socket.send(JSON.stringify(event));
  }

  /** Sends samples as binary frames of 100 ms. */
  say(samples: Buffer, bytesPerFrame = 4_800): void {
    for (let at = 0; at < samples.length; at += bytesPerFrame)
      this.socket.send(samples.subarray(at, at + bytesPerFrame));
  }

  /** An event of a type that came, or comes. */
  async next(type: string, count = 1): Promise<AnyJson> {
    const found = this.events.filter((event) => event.type === type);
    if (found.length >= count) return found[count - 1];
    return new Promise((done) => {
      const fits = () => this.events.filter((event) => event.type === type).length >= count;
      this.waiting.push({ fits, done: () => done(this.events.filter((event) => event.type === type)[count - 1]) });
    });
  }
}

/** Opens a session. @param query behind `?intent=transcription` @param options of `ws` */
export async function openLive(
  url: string,
  { token, query = '', protocols = [], headers = {} }: LiveOptions,
): Promise<LiveClient> {
  const address = `${url.replace(/^http/, 'ws')}/v1/realtime?intent=transcription${query}`;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(address, [...protocols], { headers: { ...authorization, ...headers } });
  const client = new LiveClient(socket);
  await once(socket, 'open');
  return client;
}

interface LiveOptions {
  readonly token?: string;
  readonly query?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status and error of a socket that is refused. */
export async function refusal(url: string, options: LiveOptions): Promise<{ status: number; error: AnyJson }> {
  const { query = '', token, protocols = [], headers = {} } = options;
  const address = `${url.replace(/^http/, 'ws')}/v1/realtime${query}`;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(address, [...protocols], { headers: { ...authorization, ...headers } });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, import('node:http').IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, error: JSON.parse(Buffer.concat(chunks).toString()).error };
}
