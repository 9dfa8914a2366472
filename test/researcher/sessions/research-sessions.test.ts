import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Client, Platform } from '../../support/servers/platform.js';
import { addFindings, addResearchSession, SESSIONS, tell } from '../../support/builders/research.js';

const UNKNOWN = '01h45ytscbebyvny4gc8cr8ma2';

describe('a research session', () => {
  let [platform, tenant, other]: [Platform, StaffedTenant, StaffedTenant] = [] as never;
  let user: Client;
  beforeAll(async () => {
    platform = await startPlatform();
    [tenant, other] = [await addStaffedTenant(platform), await addStaffedTenant(platform)];
    user = platform.as(tenant.user.token);
  });
  afterAll(() => platform.close());

  it('shows its steps, sources, usage and report', async () => {
    const report = { text: 'Because.', sentences: [] };
    const used = { inputTokens: 100, outputTokens: 20 };
    const values = { status: 'completed', progress: 1, report: report as never, ...used } as const;
    const id = await addResearchSession(platform, tenant.user, values);
    await addFindings(platform, tenant.user, id);

    const { body } = await user.get(`${SESSIONS}/${id}`);
    const { body: list } = await user.get(SESSIONS);

    expect(body).toMatchObject({
      status: 'completed',
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      steps: [{ kind: 'fetch', position: 1, title: 'Page 0', created_at: expect.any(String) }, { position: 2 }],
      sources: [
        { url: 'https://a.test/0', status: 'read', sha256: expect.any(String), mirrors: [] },
        { title: 'Page 1' },
      ],
      report,
    });
    expect(JSON.stringify(body)).not.toMatch(/blob|hash"|token_id|result"/);
    const listed = (list.data as { id: string }[]).find((session) => session.id === id);
    expect(listed).toMatchObject({ status: 'completed', usage: { total_tokens: 120 } });
    expect(listed).not.toHaveProperty('report');
  });

  it('has its report also in a list of the graph', async () => {
    const report = { text: 'Because.' };
    const id = await addResearchSession(platform, tenant.user, { status: 'completed', report: report as never });
    const query = '{ researchSessions(first: 100) { totalCount edges { node { id report sources { id } } } } }';

    const { body } = await user.graphql(query);

    const nodes = (body.data.researchSessions.edges as { node: { id: string } }[]).map(({ node }) => node);
    expect(nodes.find((node) => node.id === id)).toEqual({ id, report, sources: [] });
    expect(body.data.researchSessions.totalCount).toBe(nodes.length);
  });

  it('does not tell the reports of more than 20 sessions at once', async () => {
    const { user } = await addStaffedTenant(platform);
    await Promise.all(Array.from({ length: 21 }, () => addResearchSession(platform, user, { status: 'completed' })));

    const { body } = await platform.graphql(
      '{ researchSessions(first: 21) { edges { node { report } } } }',
      {},
      user.token,
    );

    expect(body.errors[0]).toMatchObject({
      message: 'Please ask for the reports of 20 sessions at most at once.',
      extensions: { param: 'report' },
    });
  });

  it.each(['GET', 'DELETE', 'POST cancel', 'POST resume', 'GET events'])('is its user’s alone: %s', async (request) => {
    const [method = '', action] = request.split(' ');
    const id = await addResearchSession(platform, tenant.user, { status: 'failed' });
    const path = (of: string): string => `${SESSIONS}/${of}${action ? `/${action}` : ''}`;
    const { access_token: sysadmin } = await platform.login();
    const strangers = [tenant.admin.token, other.user.token, other.admin.token, sysadmin];

    const foreign = await Promise.all(strangers.map((token) => platform.request(method, path(id), { token })));
    const unknown = await platform.request(method, path(`rs_${UNKNOWN}`), { token: tenant.user.token });
    const malformed = await platform.request(method, path('nonsense'), { token: tenant.user.token });

    expect(new Set(foreign.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([404, unknown.body])]),
    );
    expect(malformed.body).toEqual(unknown.body);
    expect((await user.get(`${SESSIONS}/${id}`)).body.status).toBe('failed');
  });

  it.each([
    ['GET', '', 'researcher:write'],
    ['GET', '/events', 'researcher:write'],
    ['DELETE', '', 'researcher:read'],
    ['POST', '/cancel', 'researcher:read'],
    ['POST', '/resume', 'researcher:read'],
  ])('asks for its scope: %s %s', async (method, path, scope) => {
    const { token } = await addApiToken(platform, tenant.user.token, [scope]);
    const id = await addResearchSession(platform, tenant.user);

    const { status } = await platform.request(method, `${SESSIONS}/${id}${path}`, { token });

    expect(status).toBe(403);
  });

  it.each(['queued', 'searching', 'reading', 'analyzing', 'synthesizing'] as const)(
    'is cancelled while it is %s',
    async (status) => {
      const id = await addResearchSession(platform, tenant.user, { status });

      const cancelled = await user.post(`${SESSIONS}/${id}/cancel`);
      const again = await user.post(`${SESSIONS}/${id}/cancel`);

      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', completed_at: expect.any(String) } });
      expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
      expect(await eventsOf(id)).toEqual([{ id: 1, type: 'status', data: { status: 'cancelled', progress: 0.25 } }]);
    },
  );

  it.each(['completed', 'cancelled', 'queued', 'searching'] as const)(
    'is not resumed while it is %s',
    async (status) => {
      const id = await addResearchSession(platform, tenant.user, { status });

      const { status: answered, body } = await user.post(`${SESSIONS}/${id}/resume`);

      expect([answered, body.error.code]).toEqual([409, 'conflict']);
    },
  );

  it('is resumed behind what it has done when it has failed', async () => {
    const values = { status: 'failed', reason: 'quota_exceeded', error: 'Used up.', completedAt: new Date() } as const;
    const id = await addResearchSession(platform, tenant.user, values);
    await addFindings(platform, tenant.user, id);
    await tell(platform, id, [{ type: 'error', data: { reason: 'quota_exceeded', message: 'Used up.' } }]);

    const { status, body } = await user.post(`${SESSIONS}/${id}/resume`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'queued', reason: null, error: null, started_at: null, completed_at: null });
    expect(body.sources).toHaveLength(2);
    // The job may have begun by now.
    expect(body.steps.slice(0, 2)).toMatchObject([{ title: 'Page 0' }, { title: 'Page 1' }]);
    const [row] = await platform.query('SELECT run FROM research_sessions WHERE id = $1', [id]);
    expect(row).toEqual({ run: 2 });
    expect((await eventsOf(id))[1]).toMatchObject({ id: 2, type: 'status', data: { status: 'queued' } });
    expect(await jobsOf(id)).toEqual([{ sessionId: id, run: 2 }]);
  });

  it('is resumed by a token that may read its knowledge bases', async () => {
    const values = { status: 'failed' as const, knowledgebaseIds: [`kb_${UNKNOWN}`] };
    const id = await addResearchSession(platform, tenant.user, values);
    const { token } = await addApiToken(platform, tenant.user.token, ['researcher:write']);

    const { status } = await platform.as(token).post(`${SESSIONS}/${id}/resume`);

    expect([status, (await user.get(`${SESSIONS}/${id}`)).body.status]).toEqual([403, 'failed']);
  });

  async function eventsOf(id: string): Promise<object[]> {
    return platform.query('SELECT id, type, data FROM research_events WHERE session_id = $1 ORDER BY id', [id]);
  }

  async function jobsOf(id: string): Promise<unknown[]> {
    const sql = `SELECT data->'payload' AS payload FROM jobs.job WHERE name = 'researcher.session' AND data->'payload'->>'sessionId' = $1`;
    return (await platform.query<{ payload: unknown }>(sql, [id])).map(({ payload }) => payload);
  }
});
