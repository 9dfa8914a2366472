import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { noisyWav, RecordingProbe, silentWav } from '../../support/builders/recordings.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const service = newServiceKey();

describe('a recording', () => {
  const platform = usePlatform(service.env);
  let [owner, mate, admin, stranger]: [SignedInUser, SignedInUser, SignedInUser, SignedInUser] = [] as never;
  beforeAll(async () => {
    const tenantId = await addTenant(platform);
    [owner, mate] = [await addSignedInUser(platform, tenantId), await addSignedInUser(platform, tenantId)];
    admin = await addSignedInAdmin(platform, tenantId);
    stranger = await addSignedInUser(platform, await addTenant(platform));
  });

  it.each<[string, (recording: RecordingProbe) => Promise<unknown>]>([
    ['its settings', (recording) => recording.request('PATCH', '', { body: { title: 'Letter' } })],
    ['its audio', (recording) => recording.putPiece(noisyWav(1), 0, 1_000)],
    ['how far it is', (recording) => recording.put(silentWav(1)).then(() => decoded(recording))],
  ])('tells when it has last changed: %s', async (_what, change) => {
    const recording = await RecordingProbe.create(platform, owner.token);
    await platform.query("UPDATE recordings SET updated_at = '2026-01-01' WHERE id = $1", [recording.id]);

    const before = await recording.get();
    await change(recording);
    const { created_at, updated_at } = await recording.get();
    const query = 'query ($id: ID!) { recording(id: $id) { userId updatedAt } }';
    const { body } = await platform.graphql(query, { id: recording.id }, owner.token);

    expect(before.updated_at).toBe('2026-01-01T00:00:00.000Z');
    expect(updated_at >= created_at).toBe(true);
    expect(body.data.recording.userId).toBe(owner.id);
    expect(body.data.recording.updatedAt >= updated_at).toBe(true);
  });

  it('is made with what is left out by default, changed and deleted', async () => {
    const { token } = owner;
    const made = await platform.as(token).post('/v1/echo/recordings', { title: '  Weekly meeting ' });
    const recording = await RecordingProbe.create(platform, token, {
      title: 'Dictation',
      filename: '../a\u202Eb.wav',
      language: 'en',
      diarization_enabled: true,
      method: 'live',
      quality: 'high',
    });

    const changed = await recording.request('PATCH', '', { body: { title: 'Letter', speakers: { S1: 'Ann' } } });
    const taken = await recording.request('PATCH', '', { body: { speakers: { S1: null, S2: 'Bob' } } });
    const deleted = await recording.request('DELETE');

    expect(made).toMatchObject({
      status: 201,
      body: {
        object: 'echo.recording',
        title: 'Weekly meeting',
        filename: '',
        language: '',
        diarization_enabled: false,
        method: 'upload',
        quality: 'standard',
        status: 'created',
        uploaded_bytes: 0,
        total_bytes: null,
        user_id: owner.id,
        owner_id: owner.id,
        updated_at: made.body.created_at,
      },
    });
    expect(made.headers.get('location')).toBe(`/v1/echo/recordings/${made.body.id}`);
    expect(changed.body).toMatchObject({
      title: 'Letter',
      filename: 'ab.wav',
      diarization_enabled: true,
      method: 'live',
      speakers: { S1: 'Ann' },
    });
    expect(taken.body.speakers).toEqual({ S2: 'Bob' });
    expect([deleted.status, (await recording.request('GET')).status]).toEqual([204, 404]);
  });

  it.each([
    ['no title', {}, 'title'],
    ['an empty title', { title: ' ' }, 'title'],
    ['a long title', { title: 'x'.repeat(201) }, 'title'],
    ['what is no language', { title: 'x', language: 'English, please' }, 'language'],
    ['a method that is none', { title: 'x', method: 'phone' }, 'method'],
  ])('is refused with %s', async (_what, body, param) => {
    const answer = await platform.as(owner.token).post('/v1/echo/recordings', body);

    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it.each([{ title: null }, { diarization_enabled: null }, { speakers: [] }, { speakers: { '': 'Ann' } }])(
    'does not change to %j',
    async (body) => {
      const recording = await RecordingProbe.create(platform, owner.token);

      const answer = await recording.request('PATCH', '', { body });

      expect(answer).toMatchObject({ status: 400, body: { error: { param: Object.keys(body)[0] } } });
    },
  );

  it('is its user’s alone: it does not exist for others, administrators neither', async () => {
    const audio = noisyWav(0.2);
    const recording = await RecordingProbe.create(platform, owner.token);
    await recording.putPiece(audio, 0, 1_000);

    const answers = await Promise.all(
      [mate, admin, stranger].map(async ({ token }) => {
        const theirs = recording.as(token);
        const asked = await Promise.all([
          theirs.request('GET'),
          theirs.request('PATCH', '', { body: { title: 'Mine' } }),
          theirs.request('DELETE'),
          theirs.put(audio),
          theirs.put(undefined, 'bytes */*'),
        ]);
        const listed = await platform.as(token).get('/v1/echo/recordings');
        return [...asked.map(({ status }) => status), (await theirs.audio()).status, listed.body.data.length];
      }),
    );

    expect(answers).toEqual([1, 2, 3].map(() => [404, 404, 404, 404, 404, 404, 0]));
    expect(await recording.get()).toMatchObject({ title: 'Test', uploaded_bytes: 1_000 });
  });

  it('counts as storage of its user until it is gone', async () => {
    const user = await addSignedInUser(platform, await addTenant(platform));
    const audio = noisyWav(1);
    const recording = await RecordingProbe.create(platform, user.token);
    const stored = async () => (await platform.as(user.token).get('/v1/quota')).body.usage.storage_bytes as number;

    await recording.putPiece(audio, 0, 10_000);
    await recording.putPiece(audio, 10_000, audio.length);
    const before = await stored();
    await recording.request('DELETE');

    expect(before).toBe(audio.length);
    await eventually('its bytes are given back', 20, async () => (await stored()) === 0);
  });

  it('tells whoever watches that it has changed', async () => {
    const recording = await RecordingProbe.create(platform, owner.token);
    const query = `subscription { recordingUpdated(id: "${recording.id}") { uploadedBytes } }`;
    const ending = new AbortController();
    const headers = { accept: 'text/event-stream' };
    const answer = await platform.send('POST', '/graphql', {
      token: owner.token,
      headers,
      body: { query },
      signal: ending.signal,
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    const until = async (text: string): Promise<void> => {
      for (let read = ''; !read.includes(text); read += (await reader.read()).value ?? '');
    };

    await until('"uploadedBytes":0');
    await recording.putPiece(noisyWav(0.2), 0, 1_000);
    await until('"uploadedBytes":1000');

    ending.abort();
  });

  it('is erased with its user', async () => {
    const user = await addSignedInUser(platform, await addTenant(platform));
    const recording = await RecordingProbe.create(platform, user.token);
    await recording.put(noisyWav(0.2));

    await platform.as(service.key).delete(`/v1/auth/users/${user.id}`);

    await eventually('nothing is left of it', 20, async () => {
      const [left] = await platform.query<{ rows: number }>(
        `SELECT ((SELECT count(*) FROM recordings WHERE owner_id = $1) + (SELECT count(*) FROM blobs WHERE user_id = $1)
         + (SELECT count(*) FROM recording_pieces WHERE recording_id = $2))::integer AS rows`,
        [user.id, recording.id],
      );
      return left?.rows === 0;
    });
  });
});

async function decoded(recording: RecordingProbe): Promise<void> {
  await eventually('it is decoded', 20, async () => (await recording.get()).duration_seconds === 1);
}
