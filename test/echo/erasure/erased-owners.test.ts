import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { openLive } from '../../support/servers/live-client.js';
import { noisyWav, RecordingProbe } from '../../support/builders/recordings.js';
import { silence } from '../../support/servers/scripted-backend.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { wavHead } from '../../support/servers/speech-server.js';
import { spokenSentence } from '../../support/builders/spoken-sentence.js';

describe('somebody who is erased while audio comes, is live and is transcribed', () => {
  let bed: SpeechBed;
  let spoken: Buffer;
  beforeAll(async () => {
    bed = await startSpeechBed([{}], service.env);
    spoken = await spokenSentence(bed, 'The weather is very nice today.');
    bed.server.byDefault = silence;
  });
  afterAll(() => bed.close());

  it.each<[who: string, erase: (user: SignedInUser, tenantId: string) => Promise<{ status: number }>]>([
    ['with the account', ({ id }) => bed.platform.as(service.key).delete(`/v1/auth/users/${id}`)],
    ['with the tenant', (_user, tenantId) => bed.platform.as(bed.token).delete(`/v1/admin/tenants/${tenantId}`)],
  ])(
    'is cut off, and nothing is left of the recordings: %s',
    async (_who, erase) => {
      const tenantId = await addTenant(bed.platform);
      const user = await addSignedInUser(bed.platform, tenantId);
      const coming = await beginUpload(user.token);
      const live = await beginLive(user.token);
      await beginTranscription(user.token);
      const asked = bed.server.requests.length;

      const { status } = await erase(user, tenantId);
      const going = setInterval(() => {
        if (coming.writable) coming.write(Buffer.alloc(1_000));
        if (live.socket.readyState === live.socket.OPEN) live.say(SILENCE);
      }, 100);
      const uploadEnd = await endOf(coming);
      const [code] = await live.closed;
      clearInterval(going);

      expect(status).toBeLessThan(300);
      expect([401, 404, 409, 'closed']).toContain(uploadEnd);
      expect(code).toBeGreaterThan(1_000);
      await eventually('nothing is left', 30, async () => {
        const [left] = await bed.platform.query<{ rows: number }>(LEFT, [user.id]);
        return left?.rows === 0;
      });
      expect(bed.server.requests.length).toBeLessThanOrEqual(asked + 1);
    },
    120_000,
  );

  /** Audio of which a part has come and is stored. */
  async function beginUpload(token: string): Promise<ClientRequest> {
    const recording = await RecordingProbe.create(bed.platform, token);
    const url = new URL(`/v1/echo/recordings/${recording.id}/audio`, bed.platform.url);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/wav', 'content-length': '10000000' };
    const upload = request(url, { method: 'PUT', headers });
    upload.on('error', () => undefined);
    upload.write(noisyWav(1));
    await eventually('a part is stored', 20, async () => (await recording.get()).uploaded_bytes > 0);
    return upload;
  }

  /** A live session with audio that is stored, and a turn that is with an engine. */
  async function beginLive(token: string) {
    const recording = await RecordingProbe.create(bed.platform, token, { method: 'live' });
    const client = await openLive(bed.platform.url, { token, query: `&recording_id=${recording.id}` });
    const before = bed.server.requests.length;
    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    await client.next('recording.stored', 2);
    await eventually('a turn is with an engine', 30, async () => bed.server.requests.length > before);
    return client;
  }

  /** A recording whose first chunk is with an engine. */
  async function beginTranscription(token: string): Promise<void> {
    const recording = await RecordingProbe.create(bed.platform, token);
    const before = bed.server.requests.length;
    const samples = Buffer.concat([SILENCE, spoken, SILENCE]);
    const uploaded = await recording.put(Buffer.concat([wavHead(samples.length, 24_000), samples]));
    expect(uploaded.status).toBe(202);
    await eventually('a chunk is with an engine', 60, async () => bed.server.requests.length > before);
  }
});

const service = newServiceKey();

const SILENCE = Buffer.alloc(24_000 * 2);

const LEFT = `
  SELECT ((SELECT count(*) FROM users WHERE id = $1) + (SELECT count(*) FROM recordings WHERE owner_id = $1)
    + (SELECT count(*) FROM blobs WHERE user_id = $1)
    + (SELECT count(*) FROM recording_pieces WHERE recording_id NOT IN (SELECT id FROM recordings))
    + (SELECT count(*) FROM calls WHERE user_id = $1) + (SELECT count(*) FROM storage_usage WHERE subject = $1))::integer AS rows`;

/** The status of the answer, or that there is none. */
async function endOf(upload: ClientRequest): Promise<number | 'closed'> {
  const answered = once(upload, 'response').then(([response]: unknown[]) => {
    (response as IncomingMessage).resume();
    return (response as IncomingMessage).statusCode ?? 0;
  });
  return Promise.race([answered.catch(() => 'closed' as const), once(upload, 'close').then(() => 'closed' as const)]);
}
