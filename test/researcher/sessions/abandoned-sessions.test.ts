import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEvent } from '../../../src/platform/audit/audit-event.js';
import { AbandonedSessions } from '../../../src/researcher/sessions/abandoned-sessions.js';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addResearchSession, SESSIONS } from '../../support/builders/research.js';

const GOING = { status: 'analyzing', progress: 0.5 } as const;

describe('a research session on which nobody works any more', () => {
  let [platform, user]: [Platform, SignedInUser] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    ({ user } = await addStaffedTenant(platform));
  });
  afterAll(() => platform.close());
  const recorded: AuditEvent[] = [];

  it('has failed, says so, and can be resumed', async () => {
    const id = await addResearchSession(platform, user, GOING);

    const changed = await endAbandoned();

    const { body } = await get(id);
    const failed = {
      status: 'failed',
      reason: 'abandoned',
      error: expect.any(String),
      completed_at: expect.any(String),
    };
    expect([changed, body]).toMatchObject([[id], failed]);
    const events = await platform.query('SELECT id, type, data FROM research_events WHERE session_id = $1', [id]);
    expect(events).toEqual([
      { id: 1, type: 'status', data: { status: 'failed', progress: 0.5 } },
      { id: 2, type: 'error', data: { reason: 'abandoned', message: body.error } },
    ]);
    const target = { type: 'research_session', id };
    expect(recorded).toMatchObject([
      { action: 'research_session.fail', target, outcome: 'failure', reason: 'abandoned' },
    ]);
    expect((await platform.request('POST', `${SESSIONS}/${id}/resume`, user)).status).toBe(202);
  });

  it.each(['created', 'retry', 'active'])('is another one than those whose job is %s', async (state) => {
    const id = await addResearchSession(platform, user, GOING);
    await platform.query(
      `INSERT INTO jobs.job (name, data, state, start_after) VALUES ('researcher.session', $1, $2, now() + interval '1 day')`,
      [JSON.stringify({ payload: { sessionId: id, run: 1 } }), state],
    );

    const changed = await endAbandoned();

    expect([changed.includes(id), (await get(id)).body.status]).toEqual([false, 'analyzing']);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('is none that is %s', async (status) => {
    const id = await addResearchSession(platform, user, { status });

    const changed = await endAbandoned();

    expect([changed.includes(id), (await get(id)).body.reason]).toEqual([false, null]);
  });

  async function endAbandoned(): Promise<string[]> {
    const changed: string[] = [];
    const { dataSource } = platform.app.database;
    const audit = { record: async (_tx: unknown, _actor: unknown, event: AuditEvent) => void recorded.push(event) };
    await new AbandonedSessions({ dataSource, audit, changed: (id) => void changed.push(id) }).end();
    return changed;
  }

  function get(id: string) {
    return platform.request('GET', `${SESSIONS}/${id}`, user);
  }
});
