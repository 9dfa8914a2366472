import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { startScriptedBackend } from '../../support/scripted-backend.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

/** A collector that keeps what is sent to it. */
class Collector {
  readonly bodies: string[] = [];
  readonly paths = new Set<string>();
  private readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.paths.add(request.url ?? '');
    this.bodies.push(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

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

describe('traces', () => {
  const collector = new Collector();
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start() });
  });
  afterAll(() => collector.close());

  it('have a span of each call of a model, with the conventional attributes and without its words', async () => {
    const { access_token: token } = await platform.login();
    const body = {
      model: 'builtin-extractive',
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'The secretfact opens at nine.' },
        { role: 'user', content: 'When does the secretfact open?' },
      ],
    };
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };

    const whole = await platform.request('POST', '/v1/chat/completions', { token, body, headers });
    await platform.request('POST', '/v1/chat/completions', {
      token,
      body: { ...body, stream: true },
      headers: { traceparent: 'nonsense' },
    });
    await platform.close();

    const [first, second, ...others] = collector.spans as [Span, Span, ...Span[]];
    expect(others).toEqual([]);
    expect([...collector.paths]).toEqual(['/v1/traces']);
    expect(first).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'chat builtin-extractive' });
    expect(attributesOf(first)).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'builtin',
      'gen_ai.request.model': 'builtin-extractive',
      'gen_ai.request.max_tokens': 50,
      'gen_ai.usage.input_tokens': whole.body.usage.prompt_tokens,
      'gen_ai.usage.output_tokens': whole.body.usage.completion_tokens,
    });
    expect(second.parentSpanId).toBeUndefined();
    expect(second.events.map(({ name }) => name)).toEqual(['gen_ai.first_token']);
    expect(collector.bodies.join()).not.toContain('secretfact');
  });

  it('go on at the model server: as children of our span, or of the caller’s where there is none', async () => {
    const backend = await startScriptedBackend();
    const other = new Collector();
    const OTEL_EXPORTER_OTLP_ENDPOINT = await other.start();
    const traced = await startPlatform({ OPENAI_BASE_URL: backend.url, OTEL_EXPORTER_OTLP_ENDPOINT });
    const untraced = await startPlatform({ OPENAI_BASE_URL: backend.url });
    const given = `00-${TRACE}-${PARENT}-01`;
    const body = { model: 'scripted', messages: [{ role: 'user', content: 'Hello?' }] };

    for (const [server, traceparent] of [
      [traced, given],
      [untraced, given],
      [untraced, `${given}; not one`],
    ] as const) {
      const { access_token: token } = await server.login();
      await server.request('POST', '/v1/chat/completions', { token, body, headers: { traceparent } });
    }
    await Promise.all([traced.close(), untraced.close()]);
    await backend.close();
    other.close();

    const [child, same, none] = backend.requests.map(({ headers }) => headers.traceparent);
    expect(child).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    expect([same, none]).toEqual([given, undefined]);
  });
});

function attributesOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code?: number };
}
