import type { AnyJson } from '../support/probes/any-json.js';
import { eventually } from '../support/probes/eventually.js';
import { sentEvents, SESSIONS } from '../support/builders/research.js';
import type { SentEvent } from '../support/builders/research.js';
import { lifeOf, request } from './client.js';
import { failOn } from './ledger-check.js';
import type { Replica } from './replica.js';
import type { Query } from './servers.js';

/** Longer than a lease and the pause before a second attempt, for a machine that is busy. */
const LONGEST_SECONDS = 120;

/** A session that is over. */
export interface EndedSession {
  readonly session: AnyJson;
  readonly events: readonly SentEvent[];
}

/** Research sessions of the administrator, at servers that may be started again. */
export class ResearchedSessions {
  constructor(
    /** Any of them is asked. */
    private readonly servers: readonly Replica[],
    private readonly token: string,
    private readonly settings: object,
  ) {}

  /** @returns the id of a session that has begun */
  async begin(): Promise<string> {
    const { status, body } = await this.send('POST', SESSIONS, this.settings);
    if (status !== 202) throw new Error(`A session was not begun: ${JSON.stringify(body)}`);
    return body.id as string;
  }

  /** The session when it is completed, with all of its events. */
  async completed(id: string): Promise<EndedSession> {
    const session = await eventually('the session is over', LONGEST_SECONDS, async () => {
      const { body } = await this.send('GET', `${SESSIONS}/${id}`);
      return ['completed', 'failed', 'cancelled'].includes(body.status) && body;
    });
    if (session.status !== 'completed') throw new Error(`A session is ${session.status}: ${session.error}`);
    const { origin } = lifeOf(this.serving);
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${origin}${SESSIONS}/${id}/events`, { headers });
    return { session, events: sentEvents(await response.text()) };
  }

  private get serving(): Replica {
    const [first] = this.servers.filter(({ life }) => life !== undefined);
    if (!first) throw new Error('No server serves.');
    return first;
  }

  private send(method: string, path: string, body?: object) {
    return request(lifeOf(this.serving), method, path, { token: this.token, ...(body && { body }) });
  }
}

/** Compares a session through whose run servers were killed with one that nobody disturbed. @throws Error */
export function compareSessions(undisturbed: EndedSession, disturbed: EndedSession): void {
  const problems: string[] = [];
  const reports = [undisturbed, disturbed].map(({ session }) => JSON.stringify(session.report));
  if (reports[0] !== reports[1]) problems.push(`the report differs: ${reports[0]}\n${reports[1]}`);
  const ids = disturbed.events.map(({ id }) => id);
  if (ids.some((id, index) => id !== index + 1)) problems.push(`events have the ids ${String(ids)}`);
  const [expected, told] = [undisturbed, disturbed].map(({ events }) => events.map(toLine)) as [string[], string[]];
  if (String(expected) !== String(told)) {
    problems.push(`the events differ: ${told.filter((line) => !expected.includes(line)).join('\n')}`);
  }
  failOn(problems);
}

/** What an event tells, without how far the session was. */
function toLine({ event, data }: SentEvent): string {
  return `${event} ${JSON.stringify({ ...data, progress: undefined })}`;
}

/** Requires that no step or source is there twice, and that each text that is kept has a source. @throws Error */
export async function checkRows(query: Query): Promise<number> {
  const problems: string[] = [];
  const twice = await query<{ what: string }>(`
    SELECT 'source ' || url AS what FROM research_sources GROUP BY session_id, url HAVING count(*) > 1
    UNION ALL
    SELECT 'step ' || title FROM research_steps GROUP BY session_id, kind, title, hash HAVING count(*) > 1
    UNION ALL
    SELECT 'position ' || position FROM research_sources GROUP BY session_id, position HAVING count(*) > 1`);
  for (const { what } of twice) problems.push(`twice: ${what}`);
  const kept = await query<{ key: string }>(`
    SELECT key FROM blobs WHERE state <> 'released' AND kind = 'research_snapshot'
      AND key NOT IN (SELECT blob_key FROM research_sources WHERE blob_key IS NOT NULL)`);
  for (const { key } of kept) problems.push(`the text ${key} has no source`);
  failOn(problems);
  const [row] = await query<{ count: number }>('SELECT count(*)::integer AS count FROM research_steps');
  return row?.count ?? 0;
}
