import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { completeEvents } from '../../support/builders/response-streams.js';
import { chunk, completion, DONE, event, json, stream } from '../../support/servers/scripted-backend.js';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const ADA = 'ada@example.com';
const BASE64 = randomBytes(300).toString('base64');

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

  it.each([
    ['prose behind a data URL', { type: 'text', text: `${PIXEL} of ${ADA}` }],
    ['prose behind an empty one', { type: 'text', text: `data:;base64, ${ADA}` }],
    ['what stands beside an image', { type: 'image_url', image_url: { url: PIXEL, detail: ADA } }],
    ['what stands beside a sound', { type: 'input_audio', input_audio: { data: 'AAAA', transcript: ADA } }],
    ['what stands before a payload', { type: 'text', text: `data:${ADA};base64,AAAA` }],
    ['the type of an image', { type: 'image_url', image_url: { url: `data:image/png;of=${ADA};base64,AAAA` } }],
    ['the type of a file', { type: 'file', file: { file_data: `data:${ADA};base64,AAAA` } }],
    ['a file that is none', { type: 'file', file: { file_data: `Mail ${ADA}` } }],
  ])('are read as far as they can be: %s', async (_what, part) => {
    await calls.use([{}], { unreadable: 'pass' });

    await calls.gateway.post('/v1/chat/completions', { model: 'scripted', ...parts(part) });

    expect(calls.sent).toContain('[EMAIL]');
    expect(calls.sent).not.toContain(ADA);
  });

  it('are read as far as they can be: the type of an image that looks like one', async () => {
    await calls.use([{ kind: 'ip' }], { unreadable: 'pass' });
    const url = 'data:image/192.0.2.1;base64,AAAA';

    await calls.gateway.chat(parts({ type: 'image_url', image_url: { url } }));
    await calls.gateway.chat(parts({ type: 'image_url', image_url: url }));

    expect(calls.sent).not.toContain('192.0.2.1');
    expect(calls.sent.split('data:image/[IP];base64,AAAA')).toHaveLength(3);
  });

  it.each([
    ['a data URL', { type: 'text', text: 'data:hello;base64,4111111111111111' }],
    ['an image', { type: 'image_url', image_url: { url: 'data:image/png;base64,4111111111111111' } }],
    ['a sound', { type: 'input_audio', input_audio: { data: '4111111111111111' } }],
    ['a file', { type: 'file', file: { file_data: '4111111111111111' } }],
    ['images', { type: 'x', images: ['4111111111111111'] }],
  ])('are read where they are short enough to be numbers or words: %s', async (_what, part) => {
    await calls.use([{ kind: 'credit_card', action: 'mask' }], { unreadable: 'pass' });

    await calls.gateway.chat(parts(part));

    expect(calls.sent).toContain('[CREDIT_CARD]');
    expect(calls.sent).not.toContain('4111111111111111');
  });

  it.each([
    ['a data URL', { content: 'data:;base64,4111111111111111' }],
    ['an image', { images: ['4111111111111111'] }],
    ['a sound', { audio: { data: '4111111111111111' } }],
  ])('are read in answers where they are short enough to be numbers: %s', async (_what, message) => {
    await calls.use([{ kind: 'credit_card', applies_to: 'output' }], { unreadable: 'pass' });
    calls.gateway.backend.answer(
      json(200, { choices: [{ index: 0, message: { role: 'assistant', ...message } }] }),
      stream(event({ id: 'c', choices: [{ index: 0, delta: message }] }), DONE),
    );

    const whole = await calls.gateway.chat();
    const streamed = await calls.gateway.chat({ stream: true });

    for (const { body } of [whole, streamed]) expect(JSON.stringify(body)).toContain('[CREDIT_CARD]');
  });

  it.each([
    ['a sound alone', { delta: { audio: { data: 'UklGRg==' } } }],
    ['images in a list', { delta: { images: [PIXEL] } }],
    ['anything long that is base64', { delta: { picture: BASE64 } }],
  ])('are refused in streamed answers: %s', async (_what, choice) => {
    await calls.use([{ applies_to: 'output' }]);
    calls.gateway.backend.answer(stream(event({ id: 'c', choices: [{ index: 0, ...choice }] }), DONE));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(body)).toContain('content_blocked');
  });

  it.each([
    [`data:;base64, well, it is ${ADA}`, 'data:;base64, well, it is [EMAIL]'],
    [`data:${ADA};base64,AAAA`, 'data:[EMAIL];base64,AAAA'],
  ])('are read in answers as far as they can be: %s', async (content, expected) => {
    await calls.use([{ applies_to: 'output' }], { unreadable: 'pass' });
    calls.gateway.backend.answer(
      completion(content),
      stream(chunk({ content }), chunk({}, 'stop'), DONE),
      stream(...completeEvents(content)),
    );

    const { body } = await calls.gateway.chat();
    const chat = await calls.gateway.chat({ stream: true });
    const response = await calls.gateway.respond({ stream: true });

    expect(body.choices[0].message.content).toBe(expected);
    expect(String(chat.body) + String(response.body)).not.toContain(ADA);
    expect(String(chat.body)).toContain('[EMAIL]');
    expect(String(response.body)).toContain(expected);
  });

  it('are read in answers as far as they can be: a sound that is none', async () => {
    await calls.use([{ applies_to: 'output' }], { unreadable: 'pass' });
    const audio = { id: 'a', data: `Mail ${ADA}`, expires_at: 1, transcript: 'Hello' };
    calls.gateway.backend.answer(json(200, { choices: [{ index: 0, message: { role: 'assistant', audio } }] }));

    const { body } = await calls.gateway.chat();

    expect(body.choices[0].message.audio.data).toBe('Mail [EMAIL]');
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
    [
      'the source of an image',
      '/v1/chat/completions',
      parts({ type: 'image', source: { type: 'base64', data: 'AAAA' } }),
    ],
    ['vectors of an image', '/v1/chat/completions', parts({ type: 'image_embeds', image_embeds: 'AAAA' })],
    ['vectors of a prompt', '/v1/completions', { prompt: 'Hi', prompt_embeds: 'AAAA' }],
    ['images of a message', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi', images: ['AAAA'] }] }],
    ['a long text that is base64', '/v1/chat/completions', parts({ type: 'x', picture: BASE64 })],
    ['numbers of tokens', '/v1/completions', { prompt: 'Hi', prompt_token_ids: [1, 2, 3] }],
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
