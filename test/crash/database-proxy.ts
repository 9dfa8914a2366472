import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to PostgreSQL on which answers get lost: what was asked has been done, and nobody hears of it. */
export class DatabaseProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private readonly server = createServer((client) => this.join(client));

  private constructor(private readonly target: URL) {}

  /** @param url of the database behind it */
  static async start(url: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The database as clients see it. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Loses what comes back on all connections for a while, and then the connections. */
  async loseAnswers(milliseconds: number): Promise<void> {
    const pairs = [...this.pairs];
    for (const [client, database] of pairs) database.unpipe(client).resume();
    await sleep(milliseconds);
    for (const [client] of pairs) client.destroy();
  }

  async close(): Promise<void> {
    for (const [client] of this.pairs) client.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    const pair = [client, database] as const;
    this.pairs.add(pair);
    client.pipe(database);
    database.pipe(client);
    const part = (): void => {
      this.pairs.delete(pair);
      client.destroy();
      database.destroy();
    };
    for (const socket of pair) socket.on('error', part).on('close', part);
  }
}
