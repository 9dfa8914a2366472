import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Resampler } from '../../../../src/platform/audio/resampler.js';
import { onEspeak, onPocketsphinx } from '../../../support/servers/services.js';
import { startSpeechBed } from '../../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../../support/servers/speech-bed.js';
import { wavHead } from '../../../support/servers/speech-server.js';

describe('the speech engines of this machine', () => {
  let bed: SpeechBed;

  beforeAll(async () => {
    bed = await startSpeechBed([]);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('speak without anything installed, in each voice, and slower or faster', async () => {
    const usual = await speak('Hello there, this is a test.');
    const slow = await speak('Hello there, this is a test.', { speed: 0.5 });
    const fast = await speak('Hello there, this is a test.', { speed: 2, voice: 'rms' });

    expect(usual).toMatchObject({ model: 'builtin-flite', sampleRate: 16_000 });
    expect(usual.seconds).toBeGreaterThan(1);
    expect(slow.seconds / usual.seconds).toBeGreaterThan(1.7);
    expect(fast.seconds).toBeLessThan(usual.seconds);
    expect((await bed.calls())[0]).toMatchObject({ backend: 'builtin', audio_ms: Math.ceil(usual.seconds) * 1_000 });
  });

  it('take what is written as text alone, and answer voices that are not there with 400', async () => {
    const odd = await speak('--help -f /etc/passwd "$(id)" \u0000 caf\u00e9 \ud83d\ude00 \u65e5\u672c');

    expect(odd.seconds).toBeGreaterThan(0.5);
    await expect(speak('Hello.', { voice: '../slt' })).rejects.toMatchObject({
      status: 400,
      details: { param: 'voice' },
    });
    await expect(speak('Hello.', { voice: 'alloy' })).resolves.toMatchObject({ model: 'builtin-flite' });
  });

  onEspeak.it('speak with espeak-ng where it is installed, in many languages', async () => {
    const german = await speak('Guten Tag, das ist ein Satz.', { model: 'espeak-ng', voice: 'de' });

    expect(german.sampleRate).toBe(22_050);
    expect(german.seconds).toBeGreaterThan(1);
  });

  onEspeak.it.each(['a.'.repeat(200), 'a.b. '.repeat(50), `http://${'é.'.repeat(200)}com`, 'A.B.C.D. '.repeat(20)])(
    'speak with espeak-ng what it would end at: %.12s…',
    async (input) => {
      const spoken = await speak(input, { model: 'espeak-ng' });

      expect(spoken.seconds).toBeGreaterThan(5);
    },
  );

  onEspeak.it('end what nobody listens to any more, so that others are spoken to', async () => {
    const input = 'A long sentence that nobody wants to hear up to its end. '.repeat(40);
    for (let listeners = 0; listeners < 12; listeners += 1) {
      const { samples } = await bed.models.speak(bed.caller, bed.speakCall({ model: 'espeak-ng', input }));
      await samples[Symbol.asyncIterator]().next();
      await samples[Symbol.asyncIterator]().return?.(undefined);
    }

    const heard = await speak('Is anybody there?', { model: 'espeak-ng' });

    expect(heard.seconds).toBeGreaterThan(0.5);
  });

  onPocketsphinx.it('hear what flite says, word by word, in the spans that are given', async () => {
    const { bytes } = await speak('The weather is very nice today.', { voice: 'rms' });
    const silence = Buffer.alloc(32_000);
    const samples = Buffer.concat([silence, bytes, silence]);
    const path = join(bed.folder, 'said.wav');
    writeFileSync(path, Buffer.concat([wavHead(samples.length), samples]));
    const audio = { path, mediaType: 'audio/wav', filename: 'said.wav', sizeBytes: samples.length + 44 };
    const seconds = samples.length / 32_000;
    const spans = [{ start: 0.9, end: seconds - 0.9 }];

    const heard = await bed.models.transcribe(bed.caller, bed.transcribeCall({ audio, audioSeconds: seconds, spans }));

    expect(heard).toMatchObject({ model: 'builtin-pocketsphinx', language: 'en' });
    expect(heard.text).toBe('the weather is very nice today');
    expect(heard.words?.[0]?.start).toBeGreaterThanOrEqual(0.9);
    expect(heard.words?.at(-1)?.end).toBeLessThanOrEqual(seconds - 0.8);
    expect(heard.segments).toHaveLength(1);
    await expect(
      bed.models.transcribe(bed.caller, bed.transcribeCall({ audio, audioSeconds: seconds, language: 'de' })),
    ).rejects.toMatchObject({ status: 409, code: 'capability_not_supported' });
  });

  it('are listed among the models, each with what it can do', async () => {
    const { body } = await bed.platform.request('GET', '/v1/models', { token: bed.token });

    const flite = body.data.find(({ id }: { id: string }) => id === 'builtin-flite');
    expect(flite).toMatchObject({ owned_by: 'builtin', capabilities: ['speech'] });
  });

  it('have their rate changed without a click or a missing sample', () => {
    const tone = Buffer.alloc(32_000);
    for (let at = 0; at < tone.length; at += 2) tone.writeInt16LE(Math.round(8_000 * Math.sin(at / 20)), at);
    const resampler = new Resampler(16_000, 24_000);

    const pieces = [0, 333, 5_000, 20_001].map((start, index, starts) => tone.subarray(start, starts[index + 1]));
    const changed = Buffer.concat([...pieces.map((piece) => resampler.push(piece)), resampler.end()]);

    expect(Math.abs(changed.length / 2 - 24_000)).toBeLessThan(40);
    for (let index = 200; index < 23_800; index += 1) {
      const expected = 8_000 * Math.sin((index * 2 * 16) / 24 / 20);
      expect(Math.abs(changed.readInt16LE(index * 2) - expected)).toBeLessThan(80);
    }
  });

  async function speak(input: string, members: Parameters<SpeechBed['speakCall']>[0] = {}) {
    const { samples, ...spoken } = await bed.models.speak(bed.caller, bed.speakCall({ input, ...members }));
    const parts: Buffer[] = [];
    for await (const part of samples) parts.push(part);
    const bytes = Buffer.concat(parts);
    return { ...spoken, bytes, seconds: bytes.length / 2 / spoken.sampleRate };
  }
});
