import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to PostgreSQL that loses answers, so that what was asked has been done and nobody hears of it, or falls silent. */
export class DatabaseProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private silent = false;
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

  /** Keeps everything back, in both directions, until `speak`. */
  fallSilent(): void {
    this.silent = true;
    for (const socket of [...this.pairs].flat()) socket.unpipe();
  }

  speak(): void {
    this.silent = false;
    for (const pair of this.pairs) connectPair(pair);
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
    if (!this.silent) connectPair(pair);
    const part = (): void => {
      this.pairs.delete(pair);
      client.destroy();
      database.destroy();
    };
    for (const socket of pair) socket.on('error', part).on('close', part);
  }
}

function connectPair([client, database]: readonly [Socket, Socket]): void {
  client.pipe(database);
  database.pipe(client);
}
