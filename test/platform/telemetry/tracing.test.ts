import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '../../support/servers/gateway.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { TraceCollector } from '../../support/servers/trace-collector.js';
import type { Span } from '../../support/servers/trace-collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traces', () => {
  const collector = new TraceCollector();
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
    const other = new TraceCollector();
    const traced = await startGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: await other.start() } });
    const untraced = await startGateway();
    const given = `00-${TRACE}-${PARENT}-01`;

    for (const [gateway, traceparent] of [
      [traced, given],
      [untraced, given],
      [untraced, `${given}; not one`],
    ] as const) {
      await gateway.chat({}, { headers: { traceparent } });
    }
    await Promise.all([traced.close(), untraced.close()]);
    other.close();

    const requests = [...traced.backend.requests, ...untraced.backend.requests];
    const [child, same, none] = requests.map(({ headers }) => headers.traceparent);
    expect(child).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    expect([same, none]).toEqual([given, undefined]);
  });
});

function attributesOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}
