import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import type { Answer } from 'dns-packet';

/** What is said of a name: its addresses, of both families, one time after another, that it is not there, or nothing at all. */
export type NameRecord = 'missing' | 'silent' | readonly (readonly string[])[];

/** A name server on this machine. A question for the addresses of a family that a name does not have is answered empty. */
export class NameServer {
  /** The names of the questions for IPv4, in their order. */
  readonly questions: string[] = [];

  private constructor(
    private readonly socket: Socket,
    private readonly names: Readonly<Record<string, NameRecord>>,
  ) {
    socket.on('message', (message, { port }) => {
      const answer = this.answer(message);
      if (answer) socket.send(answer, port, '127.0.0.1');
    });
  }

  static async start(names: Readonly<Record<string, NameRecord>>): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, names);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answer(message: Buffer): Buffer | undefined {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    const { name = '', type } = question ?? {};
    if (type === 'A') this.questions.push(name);
    const record = this.names[name] ?? 'missing';
    if (record === 'silent') return undefined;
    const NOT_FOUND = 3;
    if (record === 'missing') return encode({ type: 'response', id, flags: NOT_FOUND, questions });
    // Both families are asked for at the same time, and either may come first.
    const time = Math.max(0, this.questions.filter((asked) => asked === name).length - 1);
    const addresses = (record[time % record.length] ?? []).filter((data) => data.includes(':') === (type === 'AAAA'));
    const answers = addresses.map((data): Answer => ({ type: type === 'AAAA' ? 'AAAA' : 'A', name, ttl: 0, data }));
    return encode({ type: 'response', id, questions, answers });
  }
}
