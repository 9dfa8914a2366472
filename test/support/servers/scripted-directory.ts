import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server on this machine that does with each connection as a test tells it, such as nothing. */
export class ScriptedDirectory {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(script: (socket: Socket) => void): Promise<ScriptedDirectory> {
    const server = createServer();
    const directory = new ScriptedDirectory(server);
    server.on('connection', (socket) => {
      directory.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => directory.sockets.delete(socket));
      script(socket);
      // Nobody would see that the other side has hung up.
      if (socket.listenerCount('data') === 0) socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return directory;
  }

  /** Without TLS, as on this machine it may be. */
  get url(): string {
    return `ldap://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Ends all connections, and takes no more; it may have been stopped before. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A value in BER. */
export function ber(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(5);
  length[0] = 0x84;
  length.writeUInt32BE(content.length, 1);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

/** An LDAP message to the request with an id. */
export function ldapMessage(id: number, operation: Buffer): Buffer {
  return ber(0x30, ber(0x02, Buffer.from([id])), operation);
}

/** The id of a request, which is below 128. */
export function idOf(request: Buffer): number {
  return request[request.indexOf(0x02) + 2] ?? 0;
}

/** Whether a request is a bind. */
export function isBind(request: Buffer): boolean {
  return request.includes(Buffer.from([0x02, 0x01, idOf(request), 0x60]));
}

/** The end of an answer: 0x61 to a bind, 0x65 to a search. */
export function ldapResult(tag: number, code = 0): Buffer {
  return ber(tag, ber(0x0a, Buffer.from([code])), ber(0x04), ber(0x04));
}

/** An entry of a search's answer. */
export function ldapEntry(dn: string, attributes: Readonly<Record<string, string | string[]>> = {}): Buffer {
  const list = Object.entries(attributes).map(([name, value]) =>
    ber(0x30, ber(0x04, name), ber(0x31, ...[value].flat().map((one) => ber(0x04, one)))),
  );
  return ber(0x64, ber(0x04, dn), ber(0x30, ...list));
}
