import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** An answer as it came, and whether the server has ended the connection behind it. */
export interface RawAnswer {
  /** 0 where there was none. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A request without a body, as it is written. */
export function rawGet(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
}

/** Opens a connection that keeps its own half open, whatever the server does, as an attacker's would. */
export async function openRaw(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are, and reads one answer with a length. */
export async function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const socket = await openRaw(url);
  socket.write(text, 'latin1');
  const answer = await readAnswer(socket);
  socket.destroy();
  return answer;
}

/** Reads until an answer is whole by its own length, or the connection ends. */
export function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const parse = (): RawAnswer | undefined => {
      const [head = '', body] = text.split(/\r\n\r\n([\s\S]*)/);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (body === undefined || (length !== undefined && body.length < Number(length))) return undefined;
      return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body };
    };
    const finish = (answer: RawAnswer): void => {
      socket.off('data', read).off('end', end).off('close', end);
      resolve(answer);
    };
    const end = (): void => finish(parse() ?? { status: 0, head: text, body: '' });
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const answer = parse();
      if (answer) finish(answer);
    };
    socket.on('data', read).once('end', end).once('close', end);
  });
}
