import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { json, silence } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { contextOf, startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('models.transcribe', () => {
  let bed: SpeechBed;

  beforeAll(async () => {
    bed = await startSpeechBed([{}, { id: 'second' }, { id: 'other', models: ['small'], audio: SMALL }], {}, 2);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('sends the file as a form, and answers words and segments with their times', async () => {
    bed.servers.forEach((server) => (server.byDefault = () => json(200, VERBOSE)));

    const heard = await bed.models.transcribe(
      bed.caller,
      bed.transcribeCall({ language: 'en', prompt: 'Names: Ann.', temperature: 0, extra: { hotwords: ['a', 'b'] } }),
    );

    const [request] = bed.servers.flatMap(({ requests }) => requests);
    expect(request?.path).toBe('/v1/audio/transcriptions');
    expect(request?.fields).toEqual({
      model: ['heard'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
      language: ['en'],
      prompt: ['Names: Ann.'],
      temperature: ['0'],
      'hotwords[]': ['a', 'b'],
    });
    expect(request?.file).toMatchObject({ name: 'audio.wav', type: 'audio/wav' });
    expect(request?.file?.bytes.length).toBe(64_044);
    expect(heard).toMatchObject({
      model: 'heard',
      text: 'Hello there.',
      language: 'english',
      durationSeconds: 2,
      words: [
        { word: 'Hello', start: 0.1, end: 0.5, confidence: 0.9 },
        { word: 'there.', start: 0.6, end: 1, confidence: null },
      ],
      segments: [{ text: 'Hello there.', start: 0.1, end: 1, speaker: null }],
    });
  });

  it('is one entry of the ledger, with the seconds of the audio and the tokens of the text', async () => {
    bed.servers.forEach((server) => (server.byDefault = () => json(200, VERBOSE)));

    await bed.models.transcribe(bed.caller, bed.transcribeCall());
    bed.servers.forEach((server) => (server.byDefault = () => json(200, { ...VERBOSE, usage: USAGE })));
    await bed.models.transcribe(bed.caller, bed.transcribeCall());

    const calls = await bed.calls();
    expect(calls).toMatchObject([
      { model: 'heard', outcome: 'completed', state: 'estimated', completion_tokens: 3, audio_ms: 2_000 },
      { outcome: 'completed', state: 'exact', prompt_tokens: 20, completion_tokens: 5, audio_ms: 2_000 },
    ]);
  });

  it('asks the first model that can where none is named, and builtin ones last', async () => {
    const limits = await bed.models.transcribeLimits(bed.caller);
    const translated = bed.models.transcribe(bed.caller, bed.transcribeCall({ model: 'small', translate: true }));

    expect(limits).toMatchObject({ model: 'heard', mediaTypes: 'any', givesWords: true, givesSpeakers: false });
    await expect(translated).rejects.toMatchObject({ status: 409, code: 'capability_not_supported' });
    await expect(bed.models.transcribeLimits(bed.caller, 'small')).resolves.toMatchObject({
      maxSeconds: 30,
      translates: false,
    });
    await expect(bed.models.transcribe(bed.caller, bed.transcribeCall({ model: 'nobody' }))).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await bed.calls()).toEqual([]);
  });

  it('asks another instance where one is busy, and tells when to come back where all are', async () => {
    const busy = json(429, { error: { message: 'slow down' } }, { 'retry-after': '7' });
    bed.servers[0]?.answer(busy);
    bed.servers[1]?.answer(json(200, VERBOSE));

    const heard = await bed.models.transcribe(bed.caller, bed.transcribeCall());

    expect(heard.text).toBe('Hello there.');
    expect(await bed.calls()).toMatchObject([{ outcome: 'completed' }]);
  });

  it.each<[string, Script, object]>([
    ['refuses the length', json(413, { error: { message: 'too long' } }), { status: 413, code: 'payload_too_large' }],
    ['has no JSON', { pieces: ['hello'], type: 'text/plain' }, { status: 502, code: 'bad_upstream' }],
    ['has no text', json(200, { words: [] }), { status: 502, code: 'bad_upstream' }],
    ['is nested', { pieces: ['['.repeat(90_000)] }, { status: 502 }],
    ['has endless words', json(200, { text: 'a', words: Array(200_001).fill({}) }), { status: 502 }],
    ['leads elsewhere', { status: 302, headers: { location: '/v1/audio/other' } }, { status: 502 }],
    ['has no end', { pieces: endless() }, { status: 502, code: 'bad_upstream' }],
    ['is cut', { pieces: ['{"text":'], ending: 'cut' }, { status: 502 }],
  ])('fails with a typed error where the answer %s, and charges nothing', async (_name, script, error) => {
    bed.servers.forEach((server) => server.answer(script, script));

    await expect(bed.models.transcribe(bed.caller, bed.transcribeCall())).rejects.toMatchObject(error);

    expect(await bed.calls()).toMatchObject([{ outcome: 'failed', audio_ms: 0, completion_tokens: 0 }]);
  });

  it.each([
    ['in its text', { text: 'It is Ann Smith.' }],
    ['over two words', { text: '', words: ['Ann', 'Smith'].map((word) => ({ word, start: 0, end: 1 })) }],
    ['behind a control', { text: 'It is A\u0000nn \u202eSmith.' }],
  ])('is blocked by a policy that names what is said %s', async (_, heard) => {
    const policy = await bed.platform.request('POST', '/v1/admin/sanitizer/policies', {
      token: bed.token,
      body: { name: 'names', enabled: true, rules: [{ kind: 'words', words: ['Ann Smith'], action: 'block' }] },
    });
    bed.servers.forEach((server) => server.answer(json(200, heard)));

    const call = bed.models.transcribe(bed.caller, bed.transcribeCall());
    const refused = await call.catch((error: unknown) => error);
    await bed.platform.request('DELETE', `/v1/admin/sanitizer/policies/${policy.body.id}`, { token: bed.token });

    expect(refused).toMatchObject({ status: 422, code: 'content_blocked' });
  });

  it('leaves out times that are no numbers, as Python writes them, and keeps the text', async () => {
    const words =
      '[{"word":"say \\"NaN\\"","start":NaN,"end":1},{"word":"b","start":9,"end":-Infinity},{"word":"c","start":3,"end":1}]';
    const pieces = [`{"text":"NaN b c","duration":Infinity,"words":${words}}`];
    bed.servers.forEach((server) => server.answer({ pieces }));

    const heard = await bed.models.transcribe(bed.caller, bed.transcribeCall());

    expect(heard).toMatchObject({ text: 'NaN b c', durationSeconds: null });
    expect(heard.words).toEqual([{ word: 'c', start: 3, end: 1, confidence: null }]);
  });

  it('asks for plain JSON where a model refuses times, and remembers it', async () => {
    const refusal = json(400, { error: { message: "response_format 'verbose_json' is not supported" } });
    bed.servers.forEach((server) => {
      server.byDefault = ({ fields }) =>
        fields.response_format?.[0] === 'json' ? json(200, { text: 'plain' }) : refusal;
    });

    const first = await bed.models.transcribe(bed.caller, bed.transcribeCall({ model: 'small' }));
    await bed.models.transcribe(bed.caller, bed.transcribeCall({ model: 'small' }));

    expect(first).toMatchObject({ text: 'plain', words: null, segments: null });
    const formats = bed.servers.flatMap(({ requests }) => requests).map(({ fields }) => fields.response_format?.[0]);
    expect(formats).toEqual(['verbose_json', 'json', 'json']);
    expect(await bed.calls()).toHaveLength(2);
  });

  it('remembers no refusal that quotes what a caller sent', async () => {
    bed.servers.forEach((server) => {
      server.byDefault = ({ fields }) =>
        fields.seed ? json(422, { error: { message: `seed: ${fields.seed[0]} is no number` } }) : json(200, VERBOSE);
    });
    const seeded = bed.transcribeCall({ model: 'small', extra: { seed: 'verbose_json' } });

    await expect(bed.models.transcribe(bed.caller, seeded)).rejects.toMatchObject({ status: 422 });
    const heard = await bed.models.transcribe(bed.caller, bed.transcribeCall({ model: 'small' }));

    expect(heard.segments).not.toBeNull();
  });

  it('ends with its signal, and charges the audio that was sent', async () => {
    const leaving = new AbortController();
    bed.servers.forEach((server) => {
      server.byDefault = () => {
        setImmediate(() => leaving.abort(new Error('left')));
        return silence();
      };
    });

    const call = bed.transcribeCall({ context: contextOf(leaving.signal) });
    await expect(bed.models.transcribe(bed.caller, call)).rejects.toThrow('left');

    expect(await bed.calls()).toMatchObject([{ outcome: 'cancelled', audio_ms: 2_000 }]);
  });
});

const SMALL = { max_seconds: 30, translations: false };
const USAGE = { type: 'tokens', input_tokens: 20, output_tokens: 5, total_tokens: 25 };
const VERBOSE = {
  task: 'transcribe',
  language: 'english',
  duration: 2,
  text: ' Hello there. ',
  words: [
    { word: ' Hello', start: 0.1, end: 0.5, probability: 0.9 },
    { word: 'there.', start: 0.6, end: 1 },
  ],
  segments: [{ id: 0, start: 0.1, end: 1, text: ' Hello there.', avg_logprob: -0.3 }],
};

function* endless(): Generator<string> {
  yield '{"text":"';
  for (;;) yield 'a'.repeat(64 * 1024);
}
