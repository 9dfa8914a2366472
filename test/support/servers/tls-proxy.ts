import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { TLS_ENV } from './tls.js';

/** A proxy that ends TLS before a server of this machine. */
export interface TlsProxy {
  /** Begins with `https://localhost`. */
  readonly url: string;
  /** The certificate that clients have to trust. */
  readonly ca: Buffer;
  close(): Promise<void>;
}

/** Starts a proxy. @param url of the server behind it */
export async function startTlsProxy(url: string): Promise<TlsProxy> {
  const { hostname, port } = new URL(url);
  const [cert, key] = [readFileSync(TLS_ENV.TLS_CERT_FILE), readFileSync(TLS_ENV.TLS_KEY_FILE)];
  const clients = new Set<Socket>();
  const server = createServer({ cert, key }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: cert,
    close: () => {
      for (const client of clients) client.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
