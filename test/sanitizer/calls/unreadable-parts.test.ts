import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SanitizedGateway } from '../../support/sanitized-gateway.js';
import { chunk, DONE, json, stream } from '../../support/scripted-backend.js';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
describe('parts that no rule can read', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({
      backends: [{ supports: ['chat', 'completions', 'responses', 'embeddings'] }],
    });
  });
  afterAll(() => calls.close());

  it.each(unreadable())('are refused unless the policy says otherwise: %s', async (_what, path, body) => {
    await calls.use([{}]);
    const refused = await calls.gateway.post(path, { model: 'scripted', ...body });
    const receivedBefore = calls.gateway.received;
    await calls.use([{}], { unreadable: 'pass' });
    await calls.gateway.post(path, { model: 'scripted', ...body });

    expect([refused.status, refused.body.error?.code, receivedBefore]).toEqual([422, 'content_blocked', 0]);
    expect(calls.gateway.backend.requests[0]?.body).toMatchObject(body);
  });

  it('pass where all rules are for answers', async () => {
    await calls.use([{ applies_to: 'output' }]);

    await calls.gateway.post('/v1/completions', { model: 'scripted', prompt: [1, 2, 3] });

    expect(calls.gateway.received).toBe(1);
  });

  it('are read as far as they can be: an address that is fetched is a text', async () => {
    await calls.use([{}], { unreadable: 'pass' });

    const url = 'https://images.example/of?mail=ada@example.com';
    await calls.gateway.post('/v1/chat/completions', {
      model: 'scripted',
      ...parts({ type: 'image_url', image_url: { url } }),
    });

    expect(calls.sent).toContain('mail=[EMAIL]');
  });

  it('are refused in answers: a sound', async () => {
    await calls.use([{ applies_to: 'output' }]);
    const audio = { id: 'a', data: 'UklGRg==', expires_at: 1, transcript: 'Hello' };
    calls.gateway.backend.answer(
      json(200, { choices: [{ index: 0, message: { role: 'assistant', content: null, audio } }] }),
      stream(chunk({ audio }), DONE),
    );

    const whole = await calls.gateway.chat();
    const streamed = await calls.gateway.chat({ stream: true });

    expect(whole.body.error?.code).toBe('content_blocked');
    expect(JSON.stringify(streamed.body)).toContain('content_blocked');
    expect(JSON.stringify(streamed.body)).not.toContain('UklGRg');
  });
});

function parts(part: object): object {
  return { messages: [{ role: 'user', content: [{ type: 'text', text: 'See' }, part] }] };
}

/** Calls with a part that no rule can read. */
function unreadable(): [what: string, path: string, body: object][] {
  return [
    ['an image', '/v1/chat/completions', parts({ type: 'image_url', image_url: { url: PIXEL } })],
    [
      'an address of an image',
      '/v1/chat/completions',
      parts({ type: 'image_url', image_url: { url: 'http://h/a.png' } }),
    ],
    [
      'a sound',
      '/v1/chat/completions',
      parts({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
    ],
    ['a file', '/v1/chat/completions', parts({ type: 'file', file: { file_data: 'JVBERi0=', filename: 'a.pdf' } })],
    ['a file by its id', '/v1/chat/completions', parts({ type: 'file', file: { file_id: 'file-1' } })],
    ['an image in a tool’s result', '/v1/chat/completions', { messages: [{ role: 'tool', content: PIXEL }] }],
    ['tokens of a prompt', '/v1/completions', { prompt: [1, 2, 3] }],
    ['tokens of prompts', '/v1/completions', { prompt: [[1, 2], [3]] }],
    ['a token between texts', '/v1/completions', { prompt: ['Hi', 7] }],
    [
      'an image of responses',
      '/v1/responses',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: PIXEL }] }] },
    ],
    ['tokens of an embedding', '/v1/embeddings', { input: [1, 2, 3] }],
    ['tokens of embeddings', '/v1/embeddings', { input: [[1], [2]] }],
  ];
}
