import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Passes all on to a Redis, whose answers it holds back while it is silent. */
export class RedisProxy {
  isSilent = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  /** @param redisUrl of the Redis behind it */
  static async start(redisUrl: string): Promise<RedisProxy> {
    const { hostname, port } = new URL(redisUrl);
    const server = createServer((client) => proxy.connect(client, createConnection(Number(port), hostname)));
    const proxy = new RedisProxy(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers again, on new connections: the handshake of one that was made meanwhile was not answered. */
  answerAgain(): void {
    this.isSilent = false;
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    this.server.close();
  }

  private connect(client: Socket, redis: Socket): void {
    for (const socket of [client, redis]) this.sockets.add(socket.on('error', () => undefined));
    client.pipe(redis);
    redis.on('data', (bytes) => void (this.isSilent || client.write(bytes)));
    client.on('close', () => redis.destroy());
  }
}
