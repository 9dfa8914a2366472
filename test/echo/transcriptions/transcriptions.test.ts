import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFile } from 'openai';
import { samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';
import { openaiClient } from '../../support/builders/openai-client.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('one-shot transcriptions', () => {
  let bed: SpeechBed;
  let wav: Buffer;

  beforeAll(async () => {
    ({ bed, wav } = await startBed());
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('is made by OpenAI’s SDK in every format, on the time of the whole file', async () => {
    const json = await ask({});
    const text = await ask({ response_format: 'text' });
    const srt = await ask({ response_format: 'srt' });
    const vtt = await ask({ response_format: 'vtt' });
    const verbose = await ask({ response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] });
    const diarized = await ask({ response_format: 'diarized_json' });

    expect(json).toEqual({ text: 'The ferry leaves.', usage: { type: 'duration', seconds: expect.any(Number) } });
    expect(text).toBe('The ferry leaves.\n');
    expect(srt).toMatch(/^1\n00:00:03,\d{3} --> 00:00:0[34],\d{3}\nThe ferry leaves\.\n$/);
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:03\.\d{3} --> .*\nThe ferry leaves\.\n$/);
    expect(verbose).toMatchObject({ task: 'transcribe', language: 'en', segments: [{ id: 0 }] });
    const words = verbose['words'] as { word: string; start: number }[];
    expect(words.map(({ word }) => word)).toEqual(['The', 'ferry', 'leaves']);
    expect(words.every(({ start }) => start > 2.5 && start < 5)).toBe(true);
    expect(diarized).toMatchObject({ segments: [{ id: 'seg_0', text: 'The ferry leaves.' }] });
    expect(bed.server.requests[0]?.file?.bytes.length).toBeLessThan(wav.length / 2);
  });

  it('is streamed, by any engine', async () => {
    const stream = await openaiClient(bed).audio.transcriptions.create({
      file: await toFile(wav, 'said.wav'),
      model: 'plain',
      stream: true,
    });
    const events: { type: string }[] = [];
    for await (const event of stream) events.push(event);

    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: ANSWER.text },
      { type: 'transcript.text.done', text: ANSWER.text, usage: expect.anything() },
    ]);
  });

  it('ends a stream with an error, and without its end, where the engine fails', async () => {
    bed.server.answer({ status: 400, pieces: ['{"error":{"message":"No."}}'] });

    const answer = await send({ model: 'heard', stream: 'true' });
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(text).toMatch(/^event: error\ndata: \{"error":/);
    expect(text).not.toContain('transcript.text.done');
  });

  it('names the field that cannot be made', async () => {
    for (const [fields, param, status] of [
      [{ model: 'plain', response_format: 'srt' }, 'response_format', 409],
      [{ model: 'heard', response_format: 'vtt', stream: 'true' }, 'response_format', 409],
      [{ model: 'heard', 'include[]': 'logprobs' }, 'include[]', 409],
      [{ model: 'heard', 'timestamp_granularities[]': 'word' }, 'timestamp_granularities[]', 400],
      [{ model: 'heard', temperature: 'warm' }, 'temperature', 400],
    ] as const) {
      const answer = await send(fields);
      expect([answer.status, await answer.json()]).toEqual([
        status,
        { error: expect.objectContaining({ param }) as unknown },
      ]);
    }
    expect(bed.server.requests).toEqual([]);
  });

  it('asks no engine about silence', async () => {
    const answer = await send({ model: 'heard' }, wavOf(silence(5)));

    expect(await answer.json()).toEqual({ text: '', usage: { type: 'duration', seconds: 0 } });
    expect(bed.server.requests).toEqual([]);
  });

  it('refuses what is no audio, and stores nothing', async () => {
    const text = await send({ model: 'heard' }, Buffer.from('#EXTM3U\nfile:///etc/passwd\n'));
    const nothing = await send({ model: 'heard' }, Buffer.alloc(0));
    await ask({});
    const scratch = join(bed.platform.config.dataDir, 'scratch');

    expect([text.status, nothing.status]).toEqual([415, 400]);
    const [process = ''] = readdirSync(scratch);
    expect(readdirSync(join(scratch, process))).toEqual([]);
    expect((await bed.calls()).map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('translates by a model that can', async () => {
    const file = await toFile(wav, 'said.wav');
    const { text } = await openaiClient(bed).audio.translations.create({ file, model: 'heard' });
    const refused = await send({ model: 'plain' }, wav, '/v1/audio/translations');

    expect(text).toBe('The ferry leaves.');
    expect(bed.server.requests[0]?.path).toContain('translations');
    expect(refused.status).toBe(409);
  });

  async function ask(fields: object): Promise<Record<string, unknown>> {
    const file = await toFile(wav, 'said.wav');
    return (await openaiClient(bed).audio.transcriptions.create({ file, model: 'heard', ...fields } as never)) as never;
  }

  function send(fields: Readonly<Record<string, string>>, bytes = wav, path = '/v1/echo/transcriptions') {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(bytes)], 'said.wav'));
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return fetch(`${bed.platform.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bed.token}` },
      body: form,
    });
  }
});

/** Two models, of which one tells no times, and a sentence between silence. */
async function startBed(): Promise<{ bed: SpeechBed; wav: Buffer }> {
  const bed = await startSpeechBed([
    { models: ['heard'], supports: ['transcribe'], audio: { words: true, segments: true, translations: true } },
    { models: ['plain'], supports: ['transcribe'], audio: { words: false, segments: false, translations: false } },
  ]);
  bed.server.byDefault = ({ fields }) => ({
    pieces: [JSON.stringify(fields['model']?.includes('plain') ? { text: ANSWER.text } : ANSWER)],
  });
  return { bed, wav: wavOf(silence(3), samplesOf(spoken('The ferry leaves at nine.')), silence(3)) };
}

/** The last words lie where nobody speaks. */
const ANSWER = {
  text: 'The ferry leaves. Thanks for watching!',
  language: 'en',
  words: [
    { word: 'The', start: 0.3, end: 0.5 },
    { word: 'ferry', start: 0.5, end: 0.9 },
    { word: 'leaves', start: 0.9, end: 1.3 },
    { word: 'Thanks', start: 60, end: 60.2 },
  ],
  segments: [{ start: 0.3, end: 1.3, text: 'The ferry leaves.' }],
};
