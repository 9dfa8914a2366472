import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { startScriptedBackend, stream } from '../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../support/scripted-backend.js';
import { recordedBody } from '../../support/stream-probe.js';

describe('streamed completions and responses as subscriptions', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('give completions piece by piece', async () => {
    backend.answer(stream(recordedBody('comp_stream')));

    const chunks = await subscribe('completionStream', 'model choices { text finishReason }', {
      body: { model: 'scripted', prompt: 'One' },
    });

    expect(chunks).toEqual([
      { model: 'scripted', choices: [{ text: ' supporting', finishReason: null }] },
      { model: 'scripted', choices: [{ text: ' gap', finishReason: null }] },
      { model: 'scripted', choices: [{ text: '', finishReason: 'length' }] },
    ]);
  });

  it('give responses event by event, and their continuation', async () => {
    backend.answer(stream(recordedBody('resp_stream')), stream(recordedBody('resp_stream')));
    const body = { model: 'scripted', input: 'Hello?' };

    const first = await subscribe('responseStream', 'type sequenceNumber delta raw', { body });
    const { response } = first.at(-1).raw;
    const second = await subscribe('responseStream', 'type raw', { body, id: response.id });

    expect(first.map(({ delta }) => delta ?? '').join('')).toBe('首HC важ');
    expect(first.map(({ sequenceNumber }) => sequenceNumber)).toEqual(first.map((_, index) => index));
    expect(first.at(-1).type).toBe('response.completed');
    expect(second.at(-1).raw.response.previous_response_id).toBe(response.id);
    expect(backend.requests.at(-1)?.body.input).toHaveLength(3);
  });

  /** The values of a subscription, over graphql-sse. */
  async function subscribe(field: string, selection: string, variables: Record<string, unknown>) {
    const declared = Object.keys(variables).map((name) => `$${name}: ${name === 'id' ? 'ID!' : 'JSON!'}`);
    const given = Object.keys(variables).map((name) => `${name}: $${name}`);
    const query = `subscription (${declared.join(', ')}) { ${field}(${given.join(', ')}) { ${selection} } }`;
    const { body } = await platform.request('POST', '/graphql', {
      token,
      body: { query, variables },
      headers: { accept: 'text/event-stream' },
    });
    return [...(body as string).matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data).data[field]);
  }
});
