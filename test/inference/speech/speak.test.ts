import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asHeard } from '../../../src/inference/speech/heard-texts.js';
import { eventually } from '../../support/probes/eventually.js';
import { json } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { contextOf, startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { toneWav, wavHead } from '../../support/servers/speech-server.js';
import { newCallSanitizer } from '../../support/builders/call-sanitizer.js';

describe('models.speak', () => {
  let bed: SpeechBed;

  beforeAll(async () => {
    bed = await startSpeechBed([{ audio: { voices: ['ann', 'bob'] } }]);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('asks for a text piece by piece, each an entry of the ledger with the seconds that were heard', async () => {
    bed.server.byDefault = () => wav(toneWav(1, 24_000));
    const input = 'A first sentence. A second one that is longer. And a third sentence of this text.';

    const { bytes, sampleRate, model } = await speak(bed, { input, speed: 1.5, extra: { instructions: 'calm' } });

    expect({ model, sampleRate, length: bytes.length }).toEqual({ model: 'heard', sampleRate: 24_000, length: 96_000 });
    expect(bed.server.requests.map(({ json: body }) => body)).toEqual([
      { ...SENT, input: 'A first sentence.' },
      { ...SENT, input: 'A second one that is longer. And a third sentence of this text.' },
    ]);
    expect(await bed.calls()).toMatchObject([
      { outcome: 'completed', state: 'estimated', prompt_tokens: 4, completion_tokens: 0, audio_ms: 1_000 },
      { outcome: 'completed', audio_ms: 1_000 },
    ]);
  });

  it('keeps an address from the engine that it would say over the end of a piece', async () => {
    bed.server.byDefault = () => wav(toneWav(1, 24_000));
    const rules = [{ kind: 'email', action: 'mask' }];
    const body = { name: 'heard', enabled: true, rules };
    const { token } = bed;
    const policy = await bed.platform.request('POST', '/v1/admin/sanitizer/policies', { token, body });

    await speak(bed, { input: 'Please do write to ada@example. com, or call. Bob is at bob@example.com. Thank you.' });
    await bed.platform.request('DELETE', `/v1/admin/sanitizer/policies/${policy.body.id}`, { token });

    const said = bed.server.requests.map(({ json: { input } }) => input as string);
    expect(said.join(' ')).toBe('Please do write to [EMAIL], or call. Bob is at [EMAIL]. Thank you.');
  });

  it.each([
    ['ada@example. com', '[EMAIL]'],
    ['ada@mail.\n\n example. com, then bob@example. org?', '[EMAIL], then [EMAIL]?'],
    ['ada@example.com. Then. Bob', '[EMAIL]. Then. Bob'],
    ['No address. None. ', 'No address. None. '],
    ['ada.  b@example.com', 'ada.  [EMAIL]'],
  ])('reads what is heard of %j', async (text, expected) => {
    expect(await asHeard(newCallSanitizer().sanitizer).transformPrompt(text, 'text')).toBe(expected);
  });

  it('reads WAV whose head lies of its length, in stereo, in floats and at another rate', async () => {
    const samples = toneWav(1).subarray(44);
    const stereo = Buffer.concat([wavHead(0xffff_ffff), Buffer.alloc(64_000, 1)]);
    stereo.writeUInt16LE(2, 22);
    bed.server.answer(wav(Buffer.concat([wavHead(0xffff_ffff), samples])), wav(stereo));

    const lying = await speak(bed, { input: 'One piece of text.' });
    const mixed = await speak(bed, { input: 'One piece of text.' });

    expect(lying.bytes).toEqual(samples);
    expect(mixed.bytes).toEqual(Buffer.alloc(32_000, 1));
  });

  it('asks for bare samples where a server refuses WAV', async () => {
    const refusal = json(400, { error: { message: 'response_format wav is not supported' } });
    bed.server.byDefault = ({ json: { response_format: format } }) =>
      format === 'pcm' ? { type: 'audio/pcm', pieces: [Buffer.alloc(4_800)] } : refusal;

    const { sampleRate, bytes } = await speak(bed, { input: 'One piece of text.', voice: 'bob' });

    expect({ sampleRate, length: bytes.length }).toEqual({ sampleRate: 24_000, length: 4_800 });
  });

  it.each<[string, Script, object]>([
    ['is no sound', json(200, { error: 'no' }), { status: 502, code: 'bad_upstream' }],
    ['is empty', wav(Buffer.alloc(0)), { status: 502 }],
    ['has no samples', wav(wavHead(0)), { status: 502 }],
    ['is MP3', { type: 'audio/mpeg', pieces: [Buffer.alloc(100_000, 7)] }, { status: 502 }],
    [
      'has a head without an end',
      wav(Buffer.concat([wavHead(0).subarray(0, 36), Buffer.alloc(200_000)])),
      { status: 502 },
    ],
    ['is of 4,000 Hz', wav(toneWav(1, 4_000)), { status: 502, message: expect.stringContaining('4000 Hz') }],
    ['is of 191,999 Hz', wav(toneWav(1, 191_999)), { status: 502 }],
    ['is of samples of 23,999 Hz', { type: 'audio/pcm;rate=23999', pieces: [Buffer.alloc(4_800)] }, { status: 502 }],
    ['is cut', { ...wav(toneWav(1)), ending: 'cut' }, { status: 502 }],
    ['never ends', wav(Buffer.concat([wavHead(0), Buffer.alloc(64_000_000)])), { status: 502 }],
    ['says that it is busy', json(429, {}, { 'retry-after': '9' }), { status: 503, headers: { 'retry-after': '9' } }],
  ])('fails with a typed error where the answer %s', async (_name, script, error) => {
    bed.server.byDefault = () => script;

    await expect(speak(bed, { input: 'One piece.', model: 'heard' })).rejects.toMatchObject(error);

    const [call] = await bed.calls();
    expect(call?.outcome).toBe('failed');
    expect(call?.audio_ms).toBeLessThanOrEqual(Number(10_000));
  });

  it('fails where the rate changes within an answer', async () => {
    bed.server.answer(wav(toneWav(1, 24_000)), wav(toneWav(1, 16_000)));

    const spoken = speak(bed, { input: `A first sentence. ${'And others. '.repeat(5)}`, model: 'heard' });

    await expect(spoken).rejects.toMatchObject({ status: 502, message: expect.stringMatching(/24000 to 16000 Hz/) });
    expect((await bed.calls()).map(({ outcome }) => outcome)).toEqual(['completed', 'failed']);
  });

  it('stops the engine and records what was said when the listener leaves', async () => {
    bed.server.byDefault = () => ({ ...wav(toneWav(1)), ending: 'hang' });
    const { samples } = await bed.models.speak(bed.caller, bed.speakCall({ input: 'One piece of text.' }));

    for await (const part of samples) if (part.length > 0) break;

    const [call] = await bed.calls();
    expect(call).toMatchObject({ outcome: 'cancelled' });
    expect(call?.audio_ms).toBeGreaterThan(0);
  });

  it('records what is left before it is read', async () => {
    bed.server.byDefault = () => ({ ...wav(toneWav(1)), ending: 'hang' });
    const call = new AbortController();
    await bed.models.speak(bed.caller, bed.speakCall({ input: 'One piece.', context: contextOf(call.signal) }));

    call.abort();

    await eventually('it is recorded', 5, async () => (await bed.calls())[0]?.outcome === 'cancelled');
    expect(await bed.calls()).toHaveLength(1);
  });

  it('lists the voices of each model', async () => {
    const voices = await bed.models.voices(bed.caller);

    expect(voices[0]).toEqual({
      model: 'heard',
      voices: [
        { id: 'ann', name: 'ann', language: null },
        { id: 'bob', name: 'bob', language: null },
      ],
    });
    expect(voices.map(({ model }) => model)).toContain('builtin-flite');
  });
});

it('goes on with another server of the model where one changes the rate', async () => {
  const bed = await startSpeechBed([{}, {}], {}, 2);
  const rates = [24_000, 16_000, 24_000];
  for (const server of bed.servers) server.byDefault = () => wav(toneWav(1, rates.shift()));

  const { bytes, sampleRate } = await speak(bed, { input: `A first sentence. ${'And others. '.repeat(5)}` });

  expect([bytes.length, sampleRate, rates]).toEqual([2 * 48_000, 24_000, []]);
  await bed.close();
});

const SENT = { model: 'heard', voice: 'ann', response_format: 'wav', speed: 1.5, instructions: 'calm' };

function wav(bytes: Buffer): Script {
  return { type: 'audio/wav', pieces: [bytes] };
}

async function speak(bed: SpeechBed, members: Parameters<SpeechBed['speakCall']>[0]) {
  const { samples, ...spoken } = await bed.models.speak(bed.caller, bed.speakCall(members));
  const parts: Buffer[] = [];
  for await (const part of samples) parts.push(part);
  return { ...spoken, bytes: Buffer.concat(parts) };
}
