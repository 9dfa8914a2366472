import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openaiClient } from '../../support/builders/openai-client.js';
import { onFfmpeg } from '../../support/servers/services.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { toneWav } from '../../support/servers/speech-server.js';
import type { Client } from '../../support/servers/platform.js';

describe('speech', () => {
  let [bed, client]: [SpeechBed, Client] = [] as never;

  beforeAll(async () => {
    bed = await startSpeechBed([{ models: ['spoken'], supports: ['speech'], byok: true }]);
    client = bed.platform.as(bed.token);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('is WAV of the builtin voice with nothing but a text, by OpenAI’s SDK and by REST', async () => {
    const answer = await openaiClient(bed).audio.speech.create({
      model: 'builtin-flite',
      voice: 'alloy',
      input: 'Good morning. The office is open until five today.',
      response_format: 'wav',
    });
    const rest = await bed.platform.send('POST', '/v1/echo/speech', {
      token: bed.token,
      body: { model: 'builtin-flite', input: 'Good morning.', response_format: 'wav' },
    });

    const bytes = Buffer.from(await answer.arrayBuffer());
    await rest.arrayBuffer();
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(bytes.length).toBeGreaterThan(2 * 32_000);
    expect(rest.status).toBe(200);
    expect(rest.headers.get('x-ratelimit-limit-requests')).toBe('600');
    expect((await bed.calls()).map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed']);
  });

  onFfmpeg.it.each(['mp3', 'opus', 'flac', undefined])('is written as %s, which ffmpeg reads', async (format) => {
    const answer = await bed.platform.send('POST', '/v1/audio/speech', {
      token: bed.token,
      body: { model: 'builtin-flite', input: 'Good morning. All is well.', response_format: format },
    });

    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toMatch(/^audio\/(mpeg|ogg|flac)$/);
    const args = ['-hide_banner', '-loglevel', 'error', '-i', 'pipe:0', '-f', 's16le', '-ar', '16000', 'pipe:1'];
    const decoded = execFileSync('ffmpeg', args, { input: bytes, maxBuffer: 2 ** 26 });
    expect(decoded.length / 32_000).toBeGreaterThan(1);
  });

  it('is bare samples of 24 kHz as pcm, whatever the rate of the engine', async () => {
    bed.server.byDefault = () => ({ type: 'audio/wav', pieces: [toneWav(1, 16_000)] });

    const answer = await bed.platform.send('POST', '/v1/audio/speech', {
      token: bed.token,
      body: { model: 'spoken', input: 'One piece of text.', response_format: 'pcm' },
    });

    expect(answer.headers.get('content-type')).toBe('audio/pcm;rate=24000');
    expect(Math.abs((await answer.arrayBuffer()).byteLength / 2 - 24_000)).toBeLessThan(40);
  });

  it('goes on for an Idempotency-Key when its client leaves, and is told again byte for byte', async () => {
    const [gate, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bed.server.byDefault = () => {
      arrival.resolve();
      return { type: 'audio/wav', pieces: [gate.promise, toneWav(1)] };
    };
    const speak = (signal?: AbortSignal) =>
      bed.platform.send('POST', '/v1/audio/speech', {
        token: bed.token,
        headers: { 'idempotency-key': 'a key of one piece' },
        body: { model: 'spoken', input: 'One piece of text.', response_format: 'wav' },
        signal,
      });

    const controller = new AbortController();
    speak(controller.signal).catch(() => undefined);
    await arrival.promise;
    controller.abort();
    const retry = speak();
    gate.resolve();
    const [waited, later] = [await retry, await speak()];

    const bytes = Buffer.from(await waited.arrayBuffer());
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(Buffer.from(await later.arrayBuffer()).equals(bytes)).toBe(true);
    expect([waited, later].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(['true', 'true']);
    expect(later.headers.get('content-type')).toBe('audio/wav');
    expect((await bed.calls()).map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('sends the sound of the first sentence before the second is spoken', async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    bed.server.byDefault = () => {
      asked += 1;
      const wav = toneWav(1);
      return { type: 'audio/wav', pieces: asked === 1 ? [wav] : [gate.promise, wav] };
    };

    const answer = await bed.platform.send('POST', '/v1/audio/speech', {
      token: bed.token,
      body: { model: 'spoken', input: `First sentence. ${'And others. '.repeat(30)}`, response_format: 'wav' },
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let received = 0;
    while (received < 32_044) received += (await reader.read()).value?.length ?? 0;
    gate.resolve();
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.length;

    expect(asked).toBeGreaterThan(1);
    expect(received).toBe(44 + asked * 32_000);
  });

  it('is events with stream_format sse: pieces, then what was used', async () => {
    const answer = await bed.platform.send('POST', '/v1/audio/speech', {
      token: bed.token,
      body: { model: 'builtin-flite', input: 'Good morning.', response_format: 'wav', stream_format: 'sse' },
    });

    const lines = (await answer.text()).split('\n\n').filter(Boolean);
    const events = lines.slice(0, -1).map((line) => JSON.parse(line.replace('data: ', '')));
    const sound = Buffer.concat(events.slice(0, -1).map(({ audio }) => Buffer.from(audio, 'base64')));
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(lines.at(-1)).toBe('data: [DONE]');
    expect(sound.toString('latin1', 0, 4)).toBe('RIFF');
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 3, output_tokens: 0, total_tokens: 3 },
    });
  });

  it.each<[string, object, number, string]>([
    ['no text', {}, 400, 'input'],
    ['blanks', { input: ' \n ' }, 400, 'input'],
    ['a pace that nobody speaks at', { input: 'a', speed: 9 }, 400, 'speed'],
    ['a format that is none', { input: 'a', response_format: 'exe' }, 400, 'response_format'],
    ['a format that is not written', { input: 'a', response_format: 'aac' }, 409, 'response_format'],
    ['a model that only chats', { input: 'a', model: 'builtin-extractive' }, 409, 'model'],
    ['a voice that is not there', { input: 'a', model: 'builtin-flite', voice: 'nobody' }, 400, 'voice'],
  ])('is refused for %s, which names the field', async (_name, body, status, param) => {
    const answer = await client.post('/v1/audio/speech', body);

    expect(answer.status).toBe(status);
    expect(answer.body.error.param).toBe(param);
  });

  it('is refused for more than 100,000 characters with 413, and for a model that is not there with 404', async () => {
    const long = await client.post('/v1/audio/speech', { input: 'a'.repeat(100_001) });
    const unknown = await client.post('/v1/audio/speech', { input: 'a', model: 'nobody' });

    const extra = await client.post('/v1/audio/speech', { input: 'a', instructions: 'x'.repeat(16 * 1024) });

    expect([long.status, long.body.error.code]).toEqual([413, 'payload_too_large']);
    expect([extra.status, extra.body.error.code]).toEqual([413, 'payload_too_large']);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'model_not_found']);
    expect(await bed.calls()).toEqual([]);
  });

  it('is refused with a JSON error where the engine fails before its first sample', async () => {
    bed.server.byDefault = () => ({ status: 500, pieces: ['{"error":{"message":"out of voices"}}'] });

    const answer = await client.post('/v1/audio/speech', { model: 'spoken', input: 'One piece of text.' });

    expect([answer.status, answer.body.error]).toEqual([
      502,
      { message: 'out of voices', type: 'upstream_error', code: 'bad_upstream' },
    ]);
  });

  it('takes the key of the caller to the server alone', async () => {
    bed.server.byDefault = () => ({ type: 'audio/wav', pieces: [toneWav(1)] });

    const answer = await bed.platform.send('POST', '/v1/audio/speech', {
      token: bed.token,
      headers: { 'x-byok-api-key': 'sk-of-the-caller' },
      body: { input: 'One piece of text.', response_format: 'wav' },
    });
    await answer.arrayBuffer();

    expect(bed.server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer sk-of-the-caller']);
  });

  it('is fetched once from the address that GraphQL answers, by whoever has it', async () => {
    const { body } = await bed.platform.graphql(
      `mutation ($body: JSON!) { createSpeech(body: $body) { url mediaType sizeBytes } }`,
      { body: { model: 'builtin-flite', input: 'Good morning.', response_format: 'wav' } },
      bed.token,
    );
    const { url, ...blob } = body.data.createSpeech;

    const first = await bed.platform.send('GET', url);
    const bytes = await first.arrayBuffer();
    const second = await bed.platform.send('GET', url);

    expect(blob).toEqual({ mediaType: 'audio/wav', sizeBytes: null });
    expect(bytes.byteLength).toBeGreaterThan(10_000);
    expect(second.status).toBe(404);
    expect(await bed.calls()).toHaveLength(1);
  });

  it('is spoken for nobody whose token has ended since it was ordered', async () => {
    const made = await client.post('/v1/api-tokens', { name: 'speaker', scopes: ['echo:write'], expires_in_days: 1 });
    const { body } = await bed.platform.graphql(
      `mutation ($body: JSON!) { createSpeech(body: $body) { url } }`,
      { body: { model: 'builtin-flite', input: 'Good morning.', response_format: 'wav' } },
      made.body.token,
    );
    await client.delete(`/v1/api-tokens/${made.body.id}`);

    const { status } = await bed.platform.send('GET', body.data.createSpeech.url);

    expect(status).toBe(404);
    expect(await bed.calls()).toEqual([]);
  });

  it('passes the sanitizer as a whole, before it is cut into pieces', async () => {
    const words = { name: 'names', enabled: true, rules: [{ kind: 'words', words: ['Ann Smith'], action: 'block' }] };
    const policy = await client.post('/v1/admin/sanitizer/policies', words);

    const answer = await client.post('/v1/audio/speech', {
      model: 'builtin-flite',
      input: `A first sentence. ${'More of it. '.repeat(30)} That is Ann Smith.`,
    });

    expect([policy.status, answer.status, answer.body.error.code]).toEqual([201, 422, 'content_blocked']);
    expect(await bed.calls()).toEqual([]);
    await client.delete(`/v1/admin/sanitizer/policies/${policy.body.id}`);
  });

  it('tells the voices of each model', async () => {
    const { body } = await client.get('/v1/echo/voices');

    const flite = body.data.find(({ model }: { model: string }) => model === 'builtin-flite');
    expect(flite.voices[0]).toEqual({ id: 'slt', name: 'US English, female', language: 'en' });
  });
});
