import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';

const ADA = 'ada@example.com';
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('what callers send to models', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({
      backends: [{ supports: ['chat', 'completions', 'responses', 'embeddings'] }],
    });
  });
  afterAll(() => calls.close());

  it.each<[string, string, object]>([
    ['a message', '/v1/chat/completions', user(`Write to ${ADA}`)],
    ['a system message', '/v1/chat/completions', { messages: [{ role: 'system', content: ADA }] }],
    ['a part', '/v1/chat/completions', user([{ type: 'text', text: ADA }])],
    ['an unknown part', '/v1/chat/completions', user([{ type: 'note', note: { of: [ADA] } }])],
    ['the name of a speaker', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi', name: ADA }] }],
    ['arguments of a call', '/v1/chat/completions', { messages: [toolCall(`{"to":"${ADA}"}`)] }],
    ['escaped arguments', '/v1/chat/completions', { messages: [toolCall('{"to":"ada\\u0040example.com"}')] }],
    ['a tool’s result', '/v1/chat/completions', { messages: [{ role: 'tool', tool_call_id: 'c', content: ADA }] }],
    ['thoughts', '/v1/chat/completions', { messages: [{ role: 'assistant', reasoning_content: ADA, content: 'x' }] }],
    ['a refusal', '/v1/chat/completions', { messages: [{ role: 'assistant', refusal: ADA }] }],
    ['a description of a tool', '/v1/chat/completions', { ...user('Hi'), tools: [tool({ description: ADA })] }],
    ['a value of a tool', '/v1/chat/completions', { ...user('Hi'), tools: [tool({ parameters: { enum: [ADA] } })] }],
    [
      'a name in a tool',
      '/v1/chat/completions',
      { ...user('Hi'), tools: [tool({ parameters: { properties: { [ADA]: {} } } })] },
    ],
    ['the user', '/v1/chat/completions', { ...user('Hi'), user: ADA }],
    ['where to stop', '/v1/chat/completions', { ...user('Hi'), stop: [ADA] }],
    ['metadata', '/v1/chat/completions', { ...user('Hi'), metadata: { owner: ADA } }],
    ['names of metadata', '/v1/chat/completions', { ...user('Hi'), metadata: { [ADA]: 'owner' } }],
    [
      'a schema',
      '/v1/chat/completions',
      { ...user('Hi'), response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { const: ADA } } } },
    ],
    ['an option of another operation', '/v1/chat/completions', { ...user('Hi'), previous_response_id: ADA }],
    ['a form of vectors', '/v1/chat/completions', { ...user('Hi'), encoding_format: { of: [ADA] } }],
    ['a form of vectors that is none', '/v1/completions', { prompt: 'Hi', encoding_format: ADA }],
    ['the name of an option', '/v1/chat/completions', { ...user('Hi'), [ADA]: 1 }],
    [
      'encrypted content that is none',
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: 'Hi', encrypted_content: { text: ADA } }] },
    ],
    ['a field nobody knows', '/v1/chat/completions', { ...user('Hi'), vendor: { deep: [[ADA]] } }],
    ['a prompt', '/v1/completions', { prompt: ADA }],
    ['prompts', '/v1/completions', { prompt: ['Hi', ADA], suffix: ADA }],
    ['an input', '/v1/responses', { input: ADA }],
    ['an input message', '/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: ADA }] }] }],
    ['instructions', '/v1/responses', { input: 'Hi', instructions: ADA }],
    ['output of a call', '/v1/responses', { input: [{ type: 'function_call_output', call_id: 'c', output: ADA }] }],
    ['a call', '/v1/responses', { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: `"${ADA}"` }] }],
    [
      'a summary of thoughts',
      '/v1/responses',
      { input: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: ADA }] }] },
    ],
    ['an embedding', '/v1/embeddings', { input: ADA }],
    ['embeddings', '/v1/embeddings', { input: ['Hi', ADA] }],
  ])('are masked: %s', async (_place, path, body) => {
    await calls.use([{}]);

    await calls.gateway.post(path, { model: 'scripted', ...body });

    expect(calls.gateway.received).toBe(1);
    expect(calls.sent).not.toMatch(/ada(@|\\\\u0040)example/);
    expect(calls.sent).toContain('[EMAIL]');
  });

  it('are masked where they are numbers', async () => {
    await calls.use([{ kind: 'credit_card' }]);

    const card = 4_111_111_111_111_111;
    await calls.gateway.chat({ metadata: { card, count: 12 }, user: card, seed: card });

    const { metadata, user: sentUser, seed } = calls.gateway.backend.requests[0]?.body ?? {};
    expect(metadata).toEqual({ card: '[CREDIT_CARD]', count: 12 });
    expect([sentUser, seed]).toEqual(['[CREDIT_CARD]', card]);
  });

  it('are as they were beside what is masked', async () => {
    await calls.use([{}]);
    const body = {
      messages: [{ role: 'user', content: `a ${ADA} b`, __proto__: null }],
      tools: [tool({ parameters: { type: 'object', properties: { to: { type: 'string' } } } })],
      temperature: 0.5,
      seed: 12_345_678,
    };

    await calls.gateway.post('/v1/chat/completions', { model: 'scripted', ...body });

    expect(calls.gateway.backend.requests[0]?.body).toEqual({
      model: 'scripted',
      ...body,
      messages: [{ role: 'user', content: 'a [EMAIL] b' }],
    });
  });

  it.each(['/v1/chat/completions', '/v1/completions', '/v1/responses', '/v1/embeddings'])(
    'are refused by a policy that blocks, before any model server is asked: %s',
    async (path) => {
      await calls.use([{ action: 'block' }]);
      const text = `Mail of ${ADA}`;

      const plain = await calls.gateway.post(path, { model: 'scripted', ...user(text), input: text, prompt: text });
      const streamed = await calls.gateway.post(path, {
        model: 'scripted',
        ...user(text),
        input: text,
        prompt: text,
        stream: true,
      });

      expect([plain.status, streamed.status]).toEqual([422, 422]);
      expect(plain.body.error).toEqual({
        message: 'A sanitizer policy does not let this content pass: it has data of the kind email.',
        type: 'invalid_request_error',
        code: 'content_blocked',
      });
      expect(calls.gateway.received).toBe(0);
    },
  );

  it('are left alone by rules for answers, and by policies that are not enabled', async () => {
    await calls.use([{ applies_to: 'output' }]);
    await calls.gateway.chat(user(ADA));
    const sentWithOutputRule = calls.sent;
    await calls.use([{}], { enabled: false });
    await calls.gateway.chat(user(ADA));

    expect(sentWithOutputRule).toContain(ADA);
    expect(calls.sent).toContain(ADA);
  });

  it('are metered as they are sent', async () => {
    await calls.use([{ kind: 'words', words: ['lorem ipsum dolor sit amet'], action: 'mask' }]);
    const lengths = await calls.gateway.post('/v1/embeddings', {
      model: 'scripted',
      input: Array.from({ length: 3 }, () => 'lorem ipsum dolor sit amet'),
    });

    expect(lengths.status).toBe(502);
    expect(calls.gateway.backend.requests[0]?.body.input).toEqual(['[WORDS]', '[WORDS]', '[WORDS]']);
  });
});

function tool(members: object): object {
  return { type: 'function', function: { name: 'f', ...members } };
}

function toolCall(args: string): object {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }],
  };
}
