import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that receives answers whole, and loses some of them. */
export interface LossyProxy {
  readonly url: string;
  /** How many of the next answers are lost. */
  readonly lost: { next: number };
  close(): Promise<unknown>;
}

/** Starts a proxy on a free port. @param target the origin of the server behind it */
export async function startLossyProxy(target: () => string): Promise<LossyProxy> {
  const lost = { next: 0 };
  const server = createServer(async (request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(target() + (request.url ?? ''), {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: request,
      duplex: 'half',
    } as RequestInit);
    const body = Buffer.from(await answer.arrayBuffer());
    if (lost.next > 0) {
      lost.next -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, lost, close: () => new Promise((resolve) => server.close(resolve)) };
}
