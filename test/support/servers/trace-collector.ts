import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attribute of a span, as OTLP has it in JSON. */
export interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

/** A span, as OTLP has it in JSON. */
export interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code?: number };
}

/** A collector of traces by OTLP over HTTP, which stores what is sent to it. */
export class TraceCollector {
  readonly bodies: string[] = [];
  readonly paths = new Set<string>();
  private readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.paths.add(request.url ?? '');
    this.bodies.push(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });

  /** Listens on a free port, and answers its address. */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** All spans, in the order of their arrival. */
  get spans(): Span[] {
    return this.bodies
      .flatMap((body) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
