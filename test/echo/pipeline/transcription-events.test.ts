import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { samplesOf, spoken, wavOf } from '../../support/builders/audio.js';
import { wsClient } from '../../support/builders/graphql-clients.js';
import { RecordingProbe, silentWav } from '../../support/builders/recordings.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { heard } from '../../support/probes/heard-speech.js';
import { json } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('the events of a recording that is transcribed', () => {
  let bed: SpeechBed;
  beforeAll(async () => {
    bed = await startSpeechBed([{ audio: { max_seconds: 6 } }]);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('are numbered, for audio that comes over GraphQL, and told again behind any of them', async () => {
    let asked = 0;
    bed.server.byDefault = (request) => heard(request, `words of chunk ${(asked += 1)}`);
    const id = await createOverGraphql();
    const watching = watch(id);

    await appendAll(id, TALK);
    const early = await watching;
    const late = await watch(id, 2);

    expect(early.map(({ sequence, type, data }) => [sequence, type, data.status ?? data.text])).toEqual([
      [1, 'STATUS', 'started'],
      [2, 'PARTIAL', 'words of chunk 1'],
      [3, 'FINAL', 'words of chunk 1'],
      [4, 'PARTIAL', 'words of chunk 2'],
      [5, 'FINAL', 'words of chunk 2'],
      [6, 'STATUS', 'ended'],
    ]);
    expect(early[4]?.data.start).toBeGreaterThan(early[2]?.data.end);
    expect(late).toEqual(early.slice(2));
  });

  it('come while other chunks are still at the model', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let asked = 0;
    bed.server.byDefault = (request) => heard(request, 'some words', (asked += 1) === 1 ? undefined : held);
    const recording = await sent();

    const statusAtFirst: string[] = [];
    const events = await watch(recording.id, 0, async ({ type }) => {
      if (type === 'FINAL' && statusAtFirst.length === 0) {
        statusAtFirst.push((await recording.get()).status);
        answer();
      }
    });

    expect(statusAtFirst).toEqual(['transcribing']);
    expect(events.at(-1)).toMatchObject({ sequence: 6, data: { status: 'ended', run: 1 } });
  });

  it('say which chunk could not be transcribed', async () => {
    let asked = 0;
    bed.server.byDefault = (request) =>
      (asked += 1) === 1 ? json(400, { error: { message: 'no' } }) : heard(request, 'the second half');

    const events = await watch((await sent()).id);

    expect(events.map(({ data }) => data.status ?? data.text)).toEqual([
      'started',
      'failed',
      'the second half',
      'the second half',
      'ended',
    ]);
    expect(events[1]?.data).toMatchObject({ item_id: 'run_1_0', turns: 1, error: { code: 'bad_request' } });
  });

  it('end with why nothing could be transcribed, and go on with the next run', async () => {
    bed.server.byDefault = () => json(400, { error: { message: 'no' } });
    const recording = await sent();
    const failed = await watch(recording.id);
    bed.server.byDefault = (request) => heard(request, 'at last');

    await recording.request('POST', '/transcribe', { body: {} });
    const anew = await watch(recording.id, failed.length);

    expect(failed.slice(-2).map(({ data }) => data)).toEqual([
      { status: 'failed', run: 1, error: { code: 'bad_request', message: expect.any(String) } },
      { status: 'ended', run: 1 },
    ]);
    expect(anew[0]).toEqual({ sequence: failed.length + 1, type: 'STATUS', data: { status: 'started', run: 2 } });
    expect(anew.at(-1)?.data).toEqual({ status: 'ended', run: 2 });
  });

  it('have nothing that a policy finds over the border of two chunks', async () => {
    const { token } = bed;
    const body = { name: 'mail', enabled: true, rules: [{ kind: 'email', action: 'mask' }] };
    const policy = await bed.platform.request('POST', '/v1/admin/sanitizer/policies', { token, body });
    let asked = 0;
    bed.server.byDefault = (request) => heard(request, (asked += 1) === 1 ? 'write to ada@example.' : 'com or call');

    const events = await watch((await sent()).id);
    await bed.platform.request('DELETE', `/v1/admin/sanitizer/policies/${policy.body.id}`, { token });

    const texts = events.filter(({ type }) => type === 'FINAL').map(({ data }) => data.text);
    expect(texts.join(' ')).toBe('write to [EMAIL] or call');
    expect(JSON.stringify(events)).not.toContain('ada@');
  });

  async function sent(): Promise<RecordingProbe> {
    const recording = await RecordingProbe.create(bed.platform, bed.token);
    await recording.put(TALK);
    return recording;
  }

  async function graphql(query: string, variables: Record<string, unknown>) {
    return (await bed.platform.graphql(query, variables, bed.token)).body.data;
  }

  async function createOverGraphql(): Promise<string> {
    const query = 'mutation ($input: RecordingInput!) { createRecording(input: $input) { id } }';
    return (await graphql(query, { input: { title: 'Talk' } })).createRecording.id as string;
  }

  async function appendAll(id: string, audio: Buffer): Promise<void> {
    const append = `mutation ($id: ID!, $offset: SafeInt!, $base64: String!) {
      appendRecordingAudio(id: $id, offset: $offset, base64: $base64) { uploadedBytes }
    }`;
    for (let offset = 0; offset < audio.length; offset += PIECE_BYTES) {
      const base64 = audio.subarray(offset, offset + PIECE_BYTES).toString('base64');
      await graphql(append, { id, offset, base64 });
    }
    const end =
      'mutation ($id: ID!, $range: String!) { uploadRecordingAudio(id: $id, contentRange: $range) { status } }';
    await graphql(end, { id, range: `bytes */${audio.length}` });
  }

  /** All events behind one, until the stream ends. */
  async function watch(id: string, after?: number, told?: (event: Told) => Promise<void>): Promise<Told[]> {
    const client = wsClient({ url: bed.platform.url, token: bed.token });
    const query = `subscription ($id: ID!, $after: Int) {
      transcriptionStream(recordingId: $id, after: $after) { sequence type data }
    }`;
    const events: Told[] = [];
    for await (const { data } of client.iterate({ query, variables: { id, after } })) {
      const event = (data as never)['transcriptionStream'] as Told;
      events.push(event);
      await told?.(event);
    }
    await client.dispose();
    return events;
  }
});

interface Told {
  readonly sequence: number;
  readonly type: string;
  readonly data: AnyJson;
}

const PIECE_BYTES = 40_000;
const PAUSE = samplesOf(silentWav(3));
const TALK = wavOf(
  samplesOf(spoken('The meeting begins at nine in the large room.')),
  PAUSE,
  samplesOf(spoken('Lunch is at noon, and everybody is welcome to it.')),
  PAUSE,
);
