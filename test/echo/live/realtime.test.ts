import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { json } from '../../support/servers/scripted-backend.js';
import { openLive, refusal } from '../../support/servers/live-client.js';
import type { LiveClient } from '../../support/servers/live-client.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { resample, spokenSentence } from '../../support/builders/spoken-sentence.js';

const SILENCE = Buffer.alloc(24_000 * 2);

describe('live transcription', () => {
  let bed: SpeechBed;
  /** A spoken sentence, 16 bits of 24 kHz. */
  let spoken: Buffer;

  beforeAll(async () => {
    bed = await startSpeechBed();
    spoken = await spokenSentence(bed, 'The weather is very nice today.');
    await bed.forget();
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('tells where somebody speaks, and what was said, in OpenAI’s events', async () => {
    bed.server.byDefault = () => json(200, HEARD);
    const client = await openLive(bed.platform.url, { token: bed.token, query: '&model=heard' });

    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    const completed = await client.next(`${ITEM}.completed`);
    client.send({ type: 'session.close' });
    const [code] = await client.closed;

    expect(client.types).toEqual([
      'session.created',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      `${ITEM}.delta`,
      `${ITEM}.segment`,
      `${ITEM}.completed`,
    ]);
    const [created, started, stopped, committed] = client.events;
    expect(created.session).toMatchObject({ type: 'transcription', audio: { input: { format: { rate: 24_000 } } } });
    expect(started.audio_start_ms).toBeGreaterThan(500);
    expect(started.audio_start_ms).toBeLessThan(1_200);
    expect(stopped.audio_end_ms).toBeGreaterThan(1_000 + spoken.length / 48 - 300);
    expect([committed.item_id, committed.previous_item_id]).toEqual([started.item_id, null]);
    expect(completed).toMatchObject({ item_id: started.item_id, content_index: 0, transcript: HEARD.text });
    expect(completed.usage.type).toBe('duration');
    expect(code).toBe(1_000);
    expect(await bed.calls()).toMatchObject([{ model: 'heard', outcome: 'completed' }]);
  });

  it('hears nothing in silence and in a hum, whatever the engine would invent', async () => {
    bed.server.byDefault = () => json(200, HEARD);
    const hum = Buffer.alloc(SILENCE.length * 3);
    for (let at = 0; at < hum.length; at += 2) hum.writeInt16LE(Math.round(4_000 * Math.sin(at / 70)), at);
    const client = await openLive(bed.platform.url, { token: bed.token });

    client.say(Buffer.concat([SILENCE, hum, SILENCE]));
    client.send({ type: 'session.close' });
    await client.closed;

    const texts = client.events.filter(({ type }) => type === `${ITEM}.completed`).map(({ transcript }) => transcript);
    expect(texts.join('')).toBe('');
    expect(bed.server.requests).toEqual([]);
  });

  it.each([
    ['PCM of 16 kHz', { type: 'audio/pcm', rate: 16_000 }, (samples: Buffer) => atRate(samples, 16_000)],
    ['mu-law', { type: 'audio/pcmu' }, (samples: Buffer) => muLaw(atRate(samples, 8_000))],
  ])('takes %s, by base64 and by a commit of the client', async (_name, format, encode) => {
    bed.server.byDefault = () => json(200, HEARD);
    const client = await openLive(bed.platform.url, { token: bed.token });
    const input = {
      format,
      turn_detection: null,
      transcription: { model: 'heard', language: 'en', prompt: 'weather' },
    };

    client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
    const audio = encode(Buffer.concat([SILENCE, spoken, SILENCE]));
    for (let at = 0; at < audio.length; at += 6_000) {
      client.send({ type: 'input_audio_buffer.append', audio: audio.subarray(at, at + 6_000).toString('base64') });
    }
    client.send({ type: 'input_audio_buffer.commit' });
    const { transcript } = await client.next(`${ITEM}.completed`);
    client.socket.close();

    expect(transcript).toBe(HEARD.text);
    expect(client.types.slice(0, 3)).toEqual(['session.created', 'session.updated', 'input_audio_buffer.committed']);
    expect(bed.server.requests[0]?.fields).toMatchObject({ language: ['en'], prompt: ['weather'] });
  });

  it('answers a bad event with an error that names it, and goes on', async () => {
    bed.server.byDefault = () => json(200, HEARD);
    const client = await openLive(bed.platform.url, { token: bed.token });

    client.socket.send('no json');
    client.send({ type: 'nobody.knows', event_id: 'mine' });
    client.send({ type: 'input_audio_buffer.append', audio: '%%' });
    client.send({ type: 'input_audio_buffer.commit' });
    client.send({ type: 'session.update', session: { type: 'realtime' } });
    client.send({ type: 'input_audio_buffer.clear' });
    await client.next('input_audio_buffer.cleared');
    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    const { transcript } = await client.next(`${ITEM}.completed`);
    client.socket.close();

    const errors = client.events.filter(({ type }) => type === 'error').map(({ error }) => error);
    expect(errors.map(({ code, param }) => [code, param])).toEqual([
      ['bad_request', null],
      ['bad_request', 'type'],
      ['bad_request', 'audio'],
      ['bad_request', 'type'],
      ['capability_not_supported', 'session.type'],
    ]);
    expect(errors[1].event_id).toBe('mine');
    expect(transcript).toBe(HEARD.text);
  });

  it('tells a turn that the engine does not take as failed, and goes on', async () => {
    bed.server.answer(json(503, { error: { message: 'busy' } }), json(200, HEARD));
    const client = await openLive(bed.platform.url, { token: bed.token });

    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    const failed = await client.next(`${ITEM}.failed`);
    client.say(Buffer.concat([spoken, SILENCE]));
    const completed = await client.next(`${ITEM}.completed`);
    client.socket.close();

    expect(failed.error).toMatchObject({ code: 'unavailable' });
    expect(completed.transcript).toBe(HEARD.text);
  });

  it('is opened by OpenAI’s subprotocol, and refused with an error object before it is opened', async () => {
    const client = await openLive(bed.platform.url, {
      protocols: ['realtime', `openai-insecure-api-key.${bed.token}`, 'openai-beta.realtime-v1'],
    });
    client.socket.close();
    const { url } = bed.platform;
    const { token } = bed;

    expect(client.socket.protocol).toBe('realtime');
    expect((await refusal(url, {})).status).toBe(401);
    expect((await refusal(url, { token: 'forged' })).status).toBe(401);
    expect((await refusal(url, { token, headers: { origin: 'https://evil.test' } })).status).toBe(403);
    expect(await refusal(url, { token, query: '?intent=chat' })).toMatchObject({
      status: 409,
      error: { code: 'capability_not_supported', param: 'intent' },
    });
    expect((await refusal(url, { token, query: '?model=nobody' })).status).toBe(404);
    expect((await refusal(url, { token, query: '?recording_id=rec_01h45ytscbebyvny4gc8cr8ma2' })).status).toBe(404);
  });

  it('is closed when the session of its token is ended', async () => {
    const { access_token: token, refresh_token } = await bed.platform.login();
    const client = await openLive(bed.platform.url, { token });
    await client.next('session.created');

    await bed.platform.request('POST', '/v1/auth/logout', { token, body: { refresh_token } });
    const [code] = await client.closed;

    expect(code).toBe(4403);
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'unauthorized' } });
  });

  it('takes at most 20 sockets of a user', async () => {
    const clients: LiveClient[] = [];
    for (let count = 0; count < 20; count += 1) clients.push(await openLive(bed.platform.url, { token: bed.token }));

    const { status, error } = await refusal(bed.platform.url, { token: bed.token });
    for (const { socket } of clients) socket.close();

    expect([status, error.code]).toEqual([429, 'rate_limit_exceeded']);
  });
});

const ITEM = 'conversation.item.input_audio_transcription';
const HEARD = {
  text: 'The weather is very nice today.',
  segments: [{ start: 0.3, end: 1.5, text: 'The weather is very nice today.' }],
};

function atRate(samples: Buffer, rate: number): Buffer {
  return resample(samples, 24_000, rate);
}

/** ITU-T G.711. */
function muLaw(samples: Buffer): Buffer {
  return Buffer.from(
    Array.from({ length: samples.length / 2 }, (_, index) => {
      const sample = samples.readInt16LE(index * 2);
      const size = Math.min(32_635, Math.abs(sample)) + 132;
      const exponent = Math.max(0, Math.floor(Math.log2(size)) - 7);
      return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((size >> (exponent + 3)) & 15)) & 0xff;
    }),
  );
}
