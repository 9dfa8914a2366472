import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';
import { RecordingProbe } from '../../support/builders/recordings.js';
import { eventually } from '../../support/probes/eventually.js';
import { heard } from '../../support/probes/heard-speech.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('what policies look for', () => {
  let bed: SpeechBed;
  beforeAll(async () => {
    // Shorter than what is said, so that it is cut in the pause.
    bed = await startSpeechBed([{ audio: { max_seconds: 4 } }]);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it.each([
    ['Write to ada@example.', 'com today', 'Write to [EMAIL] today'],
    ['Call +49 151 23', '45 67 89 now', 'Call [PHONE] now'],
    ['It was bob@example.com.', 'Thank you', 'It was [EMAIL]. Thank you'],
  ])('is found in a transcript over a pause: %s | %s', async (first, second, text) => {
    say(first, second);
    const rules = [
      { kind: 'email', action: 'mask' },
      { kind: 'phone', action: 'mask' },
    ];

    const answers = await underPolicy(rules, () => Promise.all([transcribed({}), streamed(), recorded()]));

    const [whole, { deltas, done }, { body }] = answers;
    expect([whole.body.text, deltas, done, body.text]).toEqual([text, text, text, text]);
    const words = body.segments.flatMap((segment: { words: { word: string }[] }) => segment.words);
    expect(words.map(({ word }: { word: string }) => word).join(' ')).toBe(text);
  });

  it('is blocked over a pause too, where that is the rule; of a recording the part behind it is a gap', async () => {
    say('My name is Ann', 'Smith of course');
    const rules = [{ kind: 'words', words: ['Ann Smith'], action: 'block' }];

    const [whole, { body }] = await underPolicy(rules, () => Promise.all([transcribed({}), recorded()]));

    expect([whole.status, whole.body.error?.code]).toEqual([422, 'content_blocked']);
    expect([body.text, body.warnings]).toEqual([
      'My name is Ann',
      [expect.objectContaining({ type: 'gap', reason: 'content_blocked' })],
    ]);
  });

  it.each([
    ['Call +49 151', '23 45 67', '89 now'],
    ['The card is 4111 1111', '1111', '1111'],
    ['Ann', 'Mary', 'Smith'],
  ])('is found over several pauses: %s | %s | %s', async (...texts) => {
    say(...texts);
    const rules = [
      { kind: 'phone', action: 'mask' },
      { kind: 'credit_card', action: 'mask' },
      { kind: 'words', words: ['Ann Mary Smith'], action: 'mask' },
    ];

    const [whole, { body }] = await underPolicy(rules, () =>
      Promise.all([transcribed({}, LONG_TALK), recorded(LONG_TALK)]),
    );

    expect([whole.body.text, body.text]).toEqual([expect.stringMatching(/\[[A-Z_]+\]/), whole.body.text]);
    expect(whole.body.text).not.toMatch(/\d|Mary|Smith/);
  });

  it('is not told whole in a stream, of which the parts before are told already', async () => {
    say('The card is 4111 1111', '1111', '1111');

    const rules = [{ kind: 'credit_card', action: 'mask' }];
    const { deltas } = await underPolicy(rules, () => streamed(LONG_TALK));

    expect(deltas.trim()).toBe('The card is 4111 1111');
  });

  /** Has the engine hear these in turn, however often it is asked. */
  function say(...texts: readonly string[]): void {
    bed.server.byDefault = (request) => heard(request, texts[placeOf(request.file?.bytes)] ?? '');
  }

  async function underPolicy<T>(rules: readonly object[], work: () => Promise<T>): Promise<T> {
    const { token } = bed;
    const body = { name: 'across', enabled: true, rules };
    const policy = await bed.platform.request('POST', '/v1/admin/sanitizer/policies', { token, body });
    try {
      return await work();
    } finally {
      await bed.platform.request('DELETE', `/v1/admin/sanitizer/policies/${policy.body.id}`, { token });
    }
  }

  async function transcribed(fields: Readonly<Record<string, string>>, talk: Buffer = TALK) {
    const answer = await send(fields, talk);
    return { status: answer.status, body: (await answer.json()) as { text?: string; error?: { code: string } } };
  }

  async function streamed(talk: Buffer = TALK): Promise<{ deltas: string; done: string | undefined }> {
    const text = await (await send({ stream: 'true' }, talk)).text();
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Event);
    const deltas = events.flatMap(({ delta }) => delta ?? []).join('');
    return { deltas, done: events.find(({ type }) => type === 'transcript.text.done')?.text };
  }

  function send(fields: Readonly<Record<string, string>>, talk: Buffer): Promise<Response> {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(talk)], 'said.wav'));
    for (const [name, value] of Object.entries({ model: 'heard', ...fields })) form.append(name, value);
    const headers = { authorization: `Bearer ${bed.token}` };
    return fetch(`${bed.platform.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  }

  async function recorded(talk: Buffer = TALK) {
    const recording = await RecordingProbe.create(bed.platform, bed.token);
    await recording.put(talk);
    await eventually('it is transcribed', 60, async () => (await recording.get()).status === 'completed');
    return recording.request('GET', '/transcript');
  }
});

interface Event {
  readonly type: string;
  readonly delta?: string;
  readonly text?: string;
}

const [FIRST, SECOND, THIRD] = [
  spoken('The meeting begins at nine in the large room.'),
  spoken('Lunch is at noon, and all come.'),
  spoken('Nobody has seen the keys of the office.'),
];
const TALK = wavOf(samplesOf(FIRST), silence(3), samplesOf(SECOND), silence(3));
const LONG_TALK = wavOf(samplesOf(FIRST), silence(3), samplesOf(SECOND), silence(3), samplesOf(THIRD), silence(3));

/** Which part of a talk a chunk is. */
function placeOf(bytes: Buffer = Buffer.alloc(0)): number {
  return [FIRST, SECOND, THIRD].findIndex((said) => bytes.includes(samplesOf(said).subarray(16_000, 32_000)));
}
