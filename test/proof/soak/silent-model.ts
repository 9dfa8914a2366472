import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** How a model server never comes to an end. */
export type Silence = 'no-answer' | 'half-a-head' | 'half-a-body' | 'endless-comments' | 'endless-1xx';

/** Every way. */
export const SILENCES: readonly Silence[] = [
  'no-answer',
  'half-a-head',
  'half-a-body',
  'endless-comments',
  'endless-1xx',
];

const EVENTS = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
const FIRST = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'silent' };
const CHOICES = [{ index: 0, delta: { role: 'assistant', content: 'One' }, finish_reason: null }];
/** 400 KB a second in tenths. */
const COMMENTS = `: ${'x'.repeat(997)}\n\n`.repeat(40);
const TICK_MS = 100;

/** A model server that never comes to an end, whatever it is asked. Its model has the name of its way. */
export class SilentModel {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.accept(socket));

  private constructor(readonly silence: Silence) {}

  static async start(silence: Silence): Promise<SilentModel> {
    const model = new SilentModel(silence);
    model.server.listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    return model;
  }

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
    socket.once('data', () => {
      socket.resume();
      this.answer(socket);
    });
  }

  private answer(socket: Socket): void {
    if (this.silence === 'half-a-head') socket.write('HTTP/1.1 200 OK\r\ncontent-ty');
    if (this.silence === 'half-a-body') {
      socket.write(`${EVENTS}data: ${JSON.stringify({ ...FIRST, choices: CHOICES })}\n\ndata: {"id":"chatcm`);
    }
    if (this.silence === 'endless-comments') {
      socket.write(EVENTS);
      this.repeat(socket, COMMENTS);
    }
    if (this.silence === 'endless-1xx') this.repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
  }

  private repeat(socket: Socket, text: string): void {
    const timer = setInterval(() => !socket.writableNeedDrain && socket.write(text), TICK_MS);
    socket.once('close', () => clearInterval(timer));
  }
}
