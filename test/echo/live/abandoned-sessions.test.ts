import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AbandonedSessions } from '../../../src/echo/live/abandoned-sessions.js';
import { OpenSessions } from '../../../src/echo/live/open-sessions.js';
import type { AuditEvent } from '../../../src/platform/audit/audit-event.js';
import { eventually } from '../../support/probes/eventually.js';
import { openLive } from '../../support/servers/live-client.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { RecordingProbe } from '../../support/builders/recordings.js';

describe('the recording of a live session that nobody goes on with', () => {
  let bed: SpeechBed;
  const recorded: AuditEvent[] = [];
  beforeAll(async () => {
    bed = await startSpeechBed();
  });
  afterAll(() => bed.close());

  it('is ended with what is stored, and is transcribed', async () => {
    const recording = await leave();
    await forget(recording, 31);

    const ended = await endAbandoned();

    expect(ended).toEqual([recording.id]);
    const { status, uploaded_bytes, total_bytes } = await recording.get();
    expect({ status, uploaded_bytes, total_bytes }).toEqual({
      status: 'uploaded',
      uploaded_bytes: 44 + SAID.length,
      total_bytes: 44 + SAID.length,
    });
    expect(recorded).toMatchObject([{ action: 'recording.upload', target: { type: 'recording', id: recording.id } }]);
    expect(await endAbandoned()).toEqual([]);
  });

  it('may be gone on with until then', async () => {
    const recording = await leave();
    await forget(recording, 29);

    expect(await endAbandoned()).toEqual([]);
    const client = await openLive(bed.platform.url, {
      token: bed.token,
      query: `&recording_id=${recording.id}&offset=${SAID.length}`,
    });
    client.say(SAID);
    const { bytes } = await client.next('recording.stored', 2);
    client.socket.terminate();

    expect(bytes).toBe(2 * SAID.length);
    await forget(recording, 31);
    expect(await endAbandoned()).toEqual([recording.id]);
  });

  it('is another one than that of an upload which waits for its next piece', async () => {
    const recording = await RecordingProbe.create(bed.platform, bed.token);
    await recording.put(Buffer.concat([Buffer.from('RIFF____WAVEfmt '), Buffer.alloc(64)]), 'bytes 0-79/*');
    await bed.platform.query("UPDATE recordings SET created_at = now() - interval '1 year' WHERE id = $1", [
      recording.id,
    ]);

    expect(await endAbandoned()).toEqual([]);
  });

  it('is not one whose session is open, and nobody speaks', async () => {
    const recording = await RecordingProbe.create(bed.platform, bed.token, { method: 'live' });
    const client = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${recording.id}` });
    client.say(SAID);
    await client.next('recording.stored', 2);
    await forget(recording, 31);

    await eventually('the session says that it is open', 40, async () => {
      const sql = "SELECT FROM recordings WHERE id = $1 AND live_at > now() - interval '1 minute'";
      return (await bed.platform.query<object>(sql, [recording.id])).length > 0;
    });
    const whileOpen = await endAbandoned();
    client.socket.terminate();
    await client.closed;

    expect(whileOpen).toEqual([]);
    await forget(recording, 31);
    expect(await endAbandoned()).toEqual([recording.id]);
  });

  it('counts as open until the last of its sessions is over', async () => {
    const touched: string[][] = [];
    const query = async (_sql: string, [ids]: [string[]]) => void touched.push(ids);
    const open = new OpenSessions({ query } as never);
    const [first, second] = [new AbortController(), new AbortController()];
    open.add('rec_1', first.signal);
    open.add('rec_1', second.signal);

    for (const { abort } of [
      { abort: () => undefined },
      { abort: () => first.abort() },
      { abort: () => second.abort() },
    ]) {
      abort();
      await open.touch();
    }

    expect(touched).toEqual([['rec_1'], ['rec_1']]);
  });

  /** A recording whose client has left in mid-sentence. */
  async function leave(): Promise<RecordingProbe> {
    const recording = await RecordingProbe.create(bed.platform, bed.token, { method: 'live' });
    const client = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${recording.id}` });
    client.say(SAID);
    await client.next('recording.stored', 2);
    client.socket.terminate();
    return recording;
  }

  async function forget({ id }: RecordingProbe, minutes: number): Promise<void> {
    const sql = 'UPDATE recordings SET live_at = live_at - make_interval(mins => $2) WHERE id = $1';
    await bed.platform.query(sql, [id, minutes]);
  }

  async function endAbandoned(): Promise<string[]> {
    const { dataSource } = bed.platform.app.database;
    const begun: string[] = [];
    const transcribe = async (_tx: unknown, { id }: { readonly id: string }) => void begun.push(id);
    const audit = { record: async (_tx: unknown, _actor: unknown, event: AuditEvent) => void recorded.push(event) };
    await new AbandonedSessions({ dataSource, audit, transcribe, changed: () => undefined, idleMinutes: 30 }).end();
    return begun;
  }
});

/** Two seconds of 24 kHz. */
const SAID = Buffer.alloc(96_000);
