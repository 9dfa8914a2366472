import type { AnyJson } from './any-json.js';
import { eventually } from './eventually.js';
import type { Platform, RestAnswer } from '../servers/platform.js';
import { sentEvents, SESSIONS } from '../builders/research.js';
import type { SentEvent } from '../builders/research.js';
import { readBytes } from './stored-blobs.js';

const PATIENCE_SECONDS = 240;
const STATUS = 'SELECT status FROM research_sessions WHERE id = $1';

/** Research sessions of one user, as that user sees them. */
export class ResearchProbe {
  constructor(
    readonly platform: Platform,
    private readonly token: string,
  ) {}

  /** Begins a session. @returns its id */
  async begin(body: object): Promise<string> {
    const { status, body: session } = await this.platform.request('POST', SESSIONS, { token: this.token, body });
    if (status !== 202) throw new Error(`The session was not begun: ${JSON.stringify(session)}`);
    return session.id as string;
  }

  /** The session when it is over. */
  async ended(id: string): Promise<AnyJson> {
    // The database is asked, since a request takes ten times as much.
    await eventually('the session is over', PATIENCE_SECONDS, async () => {
      const [row] = await this.platform.query<{ status: string }>(STATUS, [id]);
      return ['completed', 'failed', 'cancelled'].includes(row?.status ?? '');
    });
    return this.read(id);
  }

  /** Asks for something of the researcher. @param path behind `/v1/researcher/` */
  post(path: string, body: object): Promise<RestAnswer> {
    return this.platform.request('POST', `/v1/researcher/${path}`, { token: this.token, body });
  }

  /** Has a session that has failed go on, and waits for its end. */
  async resumed(id: string): Promise<AnyJson> {
    const { status, body } = await this.post(`sessions/${id}/resume`, {});
    if (status !== 202) throw new Error(`The session was not resumed: ${JSON.stringify(body)}`);
    return this.ended(id);
  }

  /** Begins a session, and waits for its end. */
  async research(body: object): Promise<AnyJson> {
    return this.ended(await this.begin(body));
  }

  async read(id: string): Promise<AnyJson> {
    return (await this.platform.request('GET', `${SESSIONS}/${id}`, { token: this.token })).body as AnyJson;
  }

  /** All events of a session that is over. */
  async events(id: string): Promise<SentEvent[]> {
    const { body } = await this.platform.request('GET', `${SESSIONS}/${id}/events`, { token: this.token });
    return sentEvents(body as unknown as string);
  }

  /** What is kept of a source. */
  async textOf(sessionId: string, sourceId: string): Promise<string> {
    const [row] = await this.platform.query<{ key: string }>(
      'SELECT blob_key AS key FROM research_sources WHERE session_id = $1 AND id = $2',
      [sessionId, sourceId],
    );
    return String(await readBytes(this.platform.app.blobs, row?.key ?? ''));
  }
}
