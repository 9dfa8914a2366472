import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openLive, refusal } from '../../support/servers/live-client.js';
import { json } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { spokenSentence } from '../../support/builders/spoken-sentence.js';
import { wsClient } from '../../support/builders/graphql-clients.js';

describe('the recording of a live session', () => {
  let bed: SpeechBed;
  let spoken: Buffer;

  beforeAll(async () => {
    bed = await startSpeechBed();
    bed.server.byDefault = () => json(200, HEARD);
    spoken = await spokenSentence(bed, HEARD.text);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('holds what was sent, told when it is durable, and goes on behind it after a lost connection', async () => {
    const id = await create();
    const audio = Buffer.concat([SILENCE, spoken, SILENCE]);
    const first = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });

    first.say(audio.subarray(0, 96_000));
    const { bytes } = await first.next('recording.stored', 2);
    first.socket.terminate();
    const second = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}&offset=${bytes}` });
    second.say(audio.subarray(bytes));
    second.send({ type: 'session.close' });
    const [code] = await second.closed;

    const stored = await bed.platform.send('GET', `/v1/echo/recordings/${id}/audio`, { token: bed.token });
    expect(first.events.find(({ type }) => type === 'recording.stored').bytes).toBe(0);
    expect(bytes).toBe(96_000);
    expect(code).toBe(1_000);
    expect(Buffer.from(await stored.arrayBuffer()).subarray(44)).toEqual(audio);
    const { body } = await bed.platform.as(bed.token).get(`/v1/echo/recordings/${id}`);
    expect(body.status).not.toBe('created');
  });

  it('is stored while no engine answers', async () => {
    const id = await create();
    bed.server.byDefault = () => json(503, { error: { message: 'down' } });
    const client = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });

    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    const failed = await client.next('conversation.item.input_audio_transcription.failed');
    client.send({ type: 'session.close' });
    await client.closed;
    bed.server.byDefault = () => json(200, HEARD);

    const { body } = await bed.platform.as(bed.token).get(`/v1/echo/recordings/${id}`);
    expect(failed.error.code).toBe('unavailable');
    expect(body.uploaded_bytes).toBe(44 + 2 * SILENCE.length + spoken.length);
  });

  it('is not closed as whole where another session has gone on with it', async () => {
    const id = await create();
    const first = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    first.say(SILENCE);
    await first.next('recording.stored', 2);
    const second = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    second.say(SILENCE);
    await second.next('recording.stored', 2);

    // The other one has the turn, and what is here has been overtaken.
    first.say(spoken);
    first.send({ type: 'session.close' });
    const [code] = await first.closed;

    const { body } = await bed.platform.as(bed.token).get(`/v1/echo/recordings/${id}`);
    expect(first.events.findLast(({ type }) => type === 'error').error.message).toMatch(/differs from what was sent/);
    expect([code, body.status]).toEqual([4_409, 'created']);
  });

  it('goes on within a sample, and with its times', async () => {
    const id = await create();
    const first = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    first.say(SILENCE.subarray(1));
    const { bytes } = await first.next('recording.stored', 2);
    first.socket.terminate();
    const second = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}&offset=${bytes}` });

    second.say(Buffer.concat([SILENCE.subarray(0, 1), SILENCE, spoken, SILENCE]));
    const { audio_start_ms } = await second.next('input_audio_buffer.speech_started');
    const { audio_end_ms } = await second.next('input_audio_buffer.speech_stopped');
    const segment = await second.next('conversation.item.input_audio_transcription.segment');
    second.socket.close();

    expect(bytes % 2).toBe(1);
    expect(audio_start_ms).toBeGreaterThan(1_500);
    expect(audio_start_ms).toBeLessThan(2_200);
    expect(audio_end_ms).toBeGreaterThan(2_000 + spoken.length / 48 - 300);
    expect(segment.start).toBeGreaterThan(1.5);
    expect(segment.text).toBe(HEARD.text);
  });

  it('takes no audio of another format behind what is there', async () => {
    const id = await create();
    const first = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    first.say(SILENCE);
    await first.next('recording.stored', 2);
    first.socket.terminate();
    const second = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });

    const audio = { input: { format: { type: 'audio/pcmu' } } };
    second.send({ type: 'session.update', session: { type: 'transcription', audio } });
    second.say(SILENCE);
    const { error } = await second.next('error');
    const [code] = await second.closed;

    const { body } = await bed.platform.as(bed.token).get(`/v1/echo/recordings/${id}`);
    expect([error.code, error.param, code]).toEqual(['conflict', 'session.audio.input.format', 4_409]);
    expect(body.uploaded_bytes).toBe(44 + SILENCE.length);
  });

  it('is refused with what is stored where there would be a gap, and to everybody else', async () => {
    const id = await create();
    const other = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    other.say(SILENCE);
    await other.next('recording.stored', 2);
    other.socket.close();
    await other.closed;

    const gap = await refusal(bed.platform.url, { token: bed.token, query: `?recording_id=${id}&offset=99999999` });
    const malformed = await refusal(bed.platform.url, { token: bed.token, query: `?recording_id=${id}&offset=-1` });
    const alone = await refusal(bed.platform.url, { token: bed.token, query: '?offset=0' });

    expect([gap.status, gap.error.current]).toEqual([409, { uploaded_bytes: SILENCE.length }]);
    expect([malformed.status, malformed.error.param]).toEqual([400, 'offset']);
    expect([alone.status, alone.error.param]).toEqual([400, 'offset']);
  });

  it('is refused before the socket opens where it has ended', async () => {
    const id = await create();
    const first = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    first.say(SILENCE);
    first.send({ type: 'session.close' });
    await first.closed;

    const query = `?intent=transcription&recording_id=${id}`;
    const behind = await refusal(bed.platform.url, { token: bed.token, query });
    const within = await refusal(bed.platform.url, { token: bed.token, query: `${query}&offset=0` });

    expect(behind).toMatchObject({ status: 409, error: { code: 'conflict', param: 'recording_id' } });
    expect([within.status, within.error.code]).toEqual([409, 'conflict']);
  });

  it('is told as numbered events to any number of viewers, also to who comes later', async () => {
    const id = await create();
    const watching = watch(id);
    const client = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${id}` });
    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    await client.next('conversation.item.input_audio_transcription.completed');
    client.send({ type: 'session.close' });
    await client.closed;

    const early = await watching;
    const late = await watch(id, 2);

    expect(early.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'STATUS'],
      [2, 'PARTIAL'],
      [3, 'FINAL'],
      [4, 'STATUS'],
    ]);
    expect(early[2]?.data).toMatchObject({ text: HEARD.text });
    expect(late).toEqual(early.slice(2));
  });

  async function create(): Promise<string> {
    const body = { title: 'Talk', method: 'live' };
    return (await bed.platform.as(bed.token).post('/v1/echo/recordings', body)).body.id;
  }

  async function watch(id: string, after?: number): Promise<{ sequence: number; type: string; data: object }[]> {
    const client = wsClient({ url: bed.platform.url, token: bed.token });
    const query = `subscription ($id: ID!, $after: Int) {
      transcriptionStream(recordingId: $id, after: $after) { sequence type data }
    }`;
    const events: { sequence: number; type: string; data: object }[] = [];
    for await (const { data } of client.iterate({ query, variables: { id, after } })) {
      events.push((data as never)['transcriptionStream']);
    }
    await client.dispose();
    return events;
  }
});

const SILENCE = Buffer.alloc(24_000 * 2);
const HEARD = {
  text: 'The weather is very nice today.',
  segments: [{ start: 0.3, end: 1.5, text: 'The weather is very nice today.' }],
};
