import { afterEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { sseClient, wsClient } from '../../support/builders/graphql-clients.js';
import { heldUntil, json, silence } from '../../support/servers/scripted-backend.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';
import { leaveCall } from '../../support/probes/left-call.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a stream of translated texts', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false' } });

  afterEach(() => gateway.backend.reset());

  it('has one event for each text, as soon as it is ready, then the end', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) => {
      const script = translating(toGerman)(request);
      return Object.values(textsOf(request)).includes(MANY[0] as string) ? heldUntil(gate.promise, script) : script;
    };

    const response = await open({ texts: [...MANY, ''] });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let received = '';
    while (!received.includes(`"index":39,`)) received += Buffer.from((await reader.read()).value ?? []).toString();
    const hadFirst = received.includes(`"index":0,`);
    gate.resolve();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      received += Buffer.from(part.value).toString();

    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(hadFirst).toBe(false);
    const events = eventsIn(received);
    expect(events.at(-1)).toBe('data: [DONE]');
    const items: AnyJson[] = events.slice(0, -1).map((event) => JSON.parse(event.replace('data: ', '')));
    expect(items.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 41 }, (_, index) => index),
    );
    expect(items.find(({ index }) => index === 7)).toEqual({
      object: 'translation.item',
      index: 7,
      text: toGerman(MANY[7] as string),
      detected_language: null,
      engine: 'chat',
      warnings: [],
    });
    expect(items.find(({ index }) => index === 40)).toMatchObject({ text: '', engine: null });
  });

  const open = (body: object, signal?: AbortSignal) =>
    gateway.platform.send('POST', '/v1/translate/text', {
      token: gateway.token,
      body: { ...LANGUAGES, stream: true, ...body },
      ...(signal && { signal }),
    });
  const eventsIn = (text: string): string[] => text.split('\n\n').filter(Boolean);

  it('that is cut ends with an error and without its end', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) =>
      Object.values(textsOf(request)).includes(MANY[0] as string)
        ? { ...json(200, {}), ending: 'cut', pieces: [gate.promise, '{"choices":'] }
        : translating(toGerman)(request);

    const response = await open({ texts: MANY });
    gate.resolve();
    const events = eventsIn(await response.text());

    expect(events.length).toBeGreaterThan(1);
    expect(JSON.parse((events.at(-1) ?? '').replace('data: ', ''))).toMatchObject({
      error: { type: 'upstream_error' },
    });
    expect(events).not.toContain('data: [DONE]');
  });

  it('that fails before its first text is a JSON error with its status', async () => {
    gateway.backend.byDefault = () => json(500, { error: { message: 'out of words' } });

    const upstream = await open({ text: 'The house is red.' });
    const wrong = await open({ text: 'The house is red.', target_language: 'not a language' });

    expect([upstream.status, wrong.status]).toEqual([502, 400]);
    expect(((await wrong.json()) as AnyJson).error.param).toBe('target_language');
  });

  it('that is left ends the call of the model', async () => {
    gateway.backend.byDefault = () => silence();

    const left = leaveCall(gateway.backend, (signal) => open({ text: 'The house is red.' }, signal));

    await expect(left).resolves.toBeUndefined();
  });

  it.each([
    ['graphql-ws', wsClient],
    ['graphql-sse', sseClient],
  ] as const)('comes over %s too', async (_name, clientOf) => {
    gateway.backend.byDefault = translating(toGerman);
    const client = clientOf({ url: gateway.platform.url, token: gateway.token });
    const input = { texts: ['The house is red.', ''], sourceLanguage: 'en', targetLanguage: 'de' };

    const results: AnyJson[] = [];
    for await (const result of client.iterate({ query: SUBSCRIPTION, variables: { input } })) results.push(result);
    await client.dispose();

    const items = results.map(({ data }) => data.translateTextStream).toSorted((a, b) => a.index - b.index);
    expect(items).toEqual([
      { index: 0, text: toGerman('The house is red.'), engine: 'chat', warnings: [] },
      { index: 1, text: '', engine: null, warnings: [] },
    ]);
  });
});

const LANGUAGES = { source_language: 'en', target_language: 'de' } as const;

const SUBSCRIPTION =
  'subscription ($input: TranslateTextInput!) { translateTextStream(input: $input) { index text engine warnings } }';

/** As many as go in two batches of a chat model. */
const MANY = Array.from({ length: 40 }, (_, index) => `The house has number ${index}.`);
