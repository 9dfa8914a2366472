import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addStaffedTenant } from '../../support/accounts.js';
import type { StaffedTenant } from '../../support/accounts.js';
import { addCredibilityConfig } from '../../support/credibility.js';
import { KnowledgeProbe } from '../../support/knowledge.js';
import type { Platform, RestAnswer } from '../../support/platform.js';
import { addFindings, addResearchSession, SESSIONS, tell } from '../../support/research.js';
import { startSearchBed } from '../../support/scripted-search.js';
import type { SearchBed } from '../../support/scripted-search.js';

const UNKNOWN = '01h45ytscbebyvny4gc8cr8ma2';

describe('a research session', () => {
  let [bed, platform, tenant, other]: [SearchBed, Platform, StaffedTenant, StaffedTenant] = [] as never;
  beforeAll(async () => {
    bed = await startSearchBed();
    ({ platform } = bed);
    [tenant, other] = [await addStaffedTenant(platform), await addStaffedTenant(platform)];
  });
  afterAll(() => bed.close());

  const create = (body: object, token = tenant.user.token): Promise<RestAnswer> =>
    platform.request('POST', SESSIONS, { token, body });
  const get = (id: string, token = tenant.user.token): Promise<RestAnswer> =>
    platform.request('GET', `${SESSIONS}/${id}`, { token });
  const act = (id: string, action: string, token = tenant.user.token): Promise<RestAnswer> =>
    platform.request('POST', `${SESSIONS}/${id}/${action}`, { token });

  it('is answered before it is done, with its defaults', async () => {
    const { status, body, headers } = await create({ question: ' When was it built? ' });

    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`${SESSIONS}/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^rs_/),
      object: 'researcher.session',
      question: 'When was it built?',
      depth: 2,
      max_sources: 20,
      model: 'builtin-extractive',
      credibility_config_id: null,
      knowledgebase_ids: [],
      max_tokens: null,
      max_seconds: 900,
      strict: false,
      replay_of: null,
      owner_id: tenant.user.id,
      status: 'queued',
      progress: 0,
      reason: null,
      error: null,
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      steps: [],
      sources: [],
      report: null,
    });
  });

  it('takes what it is told', async () => {
    const { body: config } = await addCredibilityConfig(platform, tenant.admin.token);
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const replayed = await addResearchSession(platform, tenant.user, { status: 'completed' });
    const settings = {
      depth: 3,
      max_sources: 50,
      credibility_config_id: config.id,
      knowledgebase_ids: [base.id],
      max_tokens: 1_000,
      max_seconds: 10,
      strict: true,
      replay_of: replayed,
    };

    const { status, body } = await create({ question: 'Why?', ...settings });

    expect(status).toBe(202);
    expect(body).toMatchObject(settings);
  });

  it.each([
    ['no question', {}, 'question'],
    ['an empty question', { question: ' \n ' }, 'question'],
    ['a question without a word', { question: '?!' }, 'question'],
    ['a question that cannot be stored', { question: 'Why\u0000?' }, 'question'],
    ['a question that is too long', { question: 'a'.repeat(2_001) }, 'question'],
    ['a question that is none', { question: 7 }, 'question'],
    ['no round', { depth: 0 }, 'depth'],
    ['four rounds', { depth: 4 }, 'depth'],
    ['no sources', { max_sources: 0 }, 'max_sources'],
    ['51 sources', { max_sources: 51 }, 'max_sources'],
    ['too few tokens', { max_tokens: 999 }, 'max_tokens'],
    ['too few seconds', { max_seconds: 9 }, 'max_seconds'],
    ['too many seconds', { max_seconds: 3_601 }, 'max_seconds'],
    ['too many bases', { knowledgebase_ids: Array.from({ length: 21 }, () => `kb_${UNKNOWN}`) }, 'knowledgebase_ids'],
    ['bases that are no list', { knowledgebase_ids: `kb_${UNKNOWN}` }, 'knowledgebase_ids'],
    ['a strictness that is none', { strict: 'yes' }, 'strict'],
  ])('refuses %s', async (what, fields, param) => {
    const { status, body } = await create(what === 'no question' ? {} : { question: 'Why?', ...fields });

    expect([status, body.error]).toMatchObject([400, { code: 'bad_request', param }]);
    expect(body.error.message).toContain(param);
  });

  it('counts characters as people do', async () => {
    const { status } = await create({ question: `a${'𐀀'.repeat(1_999)}` });

    expect(status).toBe(202);
  });

  it.each<[string, () => Promise<object> | object, number, string]>([
    ['an unknown model', () => ({ model: 'nonsense' }), 404, 'model_not_found'],
    ['a model of embeddings', () => ({ model: 'builtin-hash-embedding' }), 409, 'capability_not_supported'],
    ['an unknown configuration', () => ({ credibility_config_id: `cred_${UNKNOWN}` }), 404, 'not_found'],
    ['what is no configuration', () => ({ credibility_config_id: 'x\u0000' }), 404, 'not_found'],
    ['another tenant’s configuration', foreignConfig, 404, 'not_found'],
    ['an unknown base', () => ({ knowledgebase_ids: [`kb_${UNKNOWN}`] }), 404, 'not_found'],
    ['what is no base', () => ({ knowledgebase_ids: ['x\u0000'] }), 404, 'not_found'],
    ['another user’s private base', () => baseOf(tenant.admin.token), 404, 'not_found'],
    ['another tenant’s base', () => baseOf(other.user.token, false), 404, 'not_found'],
    ['one’s own base and another user’s', mixedBases, 404, 'not_found'],
    ['an unknown session to replay', () => ({ replay_of: `rs_${UNKNOWN}` }), 404, 'not_found'],
    ['another user’s session to replay', () => replayOf(tenant.admin), 404, 'not_found'],
    ['a session to replay that is not over', () => replayOf(tenant.user, 'reading'), 409, 'conflict'],
  ])('refuses %s', async (_what, fields, expected, code) => {
    const { status, body } = await create({ question: 'Why?', ...(await fields()) });

    expect([status, body.error.code]).toEqual([expected, code]);
  });

  it.each([
    ['knowledge bases', 202, ['researcher:write', 'knowledge:read']],
    ['knowledge bases without the scope', 403, ['researcher:write']],
  ])('asks the token for its scope: %s', async (_what, expected, scopes) => {
    const { token } = await addApiToken(platform, tenant.user.token, scopes);
    const base = await KnowledgeProbe.create(platform, tenant.user.token);

    const { status } = await create({ question: 'Why?', knowledgebase_ids: [base.id, base.id] }, token);

    expect(status).toBe(expected);
  });

  it('asks for the scope also where kept texts of knowledge bases are read again', async () => {
    const { token } = await addApiToken(platform, tenant.user.token, ['researcher:write']);
    const values = { status: 'completed', knowledgebaseIds: [`kb_${UNKNOWN}`] } as const;
    const replayed = await addResearchSession(platform, tenant.user, values);

    const { status } = await create({ question: 'Why?', replay_of: replayed }, token);

    expect(status).toBe(403);
  });

  it('shows its steps, sources, usage and report', async () => {
    const report = { text: 'Because.', sentences: [] };
    const used = { inputTokens: 100, outputTokens: 20 };
    const values = { status: 'completed', progress: 1, report: report as never, ...used } as const;
    const id = await addResearchSession(platform, tenant.user, values);
    await addFindings(platform, tenant.user, id);

    const { body } = await get(id);
    const { body: list } = await platform.request('GET', SESSIONS, { token: tenant.user.token });

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

    const { body } = await platform.graphql(query, {}, tenant.user.token);

    const nodes = (body.data.researchSessions.edges as { node: { id: string } }[]).map(({ node }) => node);
    expect(nodes.find((node) => node.id === id)).toEqual({ id, report, sources: [] });
    expect(body.data.researchSessions.totalCount).toBe(nodes.length);
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
    expect((await get(id)).body.status).toBe('failed');
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

      const cancelled = await act(id, 'cancel');
      const again = await act(id, 'cancel');

      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', completed_at: expect.any(String) } });
      expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
      expect(await eventsOf(id)).toEqual([{ id: 1, type: 'status', data: { status: 'cancelled', progress: 0.25 } }]);
    },
  );

  it.each(['completed', 'cancelled', 'queued', 'searching'] as const)(
    'is not resumed while it is %s',
    async (status) => {
      const id = await addResearchSession(platform, tenant.user, { status });

      const { status: answered, body } = await act(id, 'resume');

      expect([answered, body.error.code]).toEqual([409, 'conflict']);
    },
  );

  it('is resumed behind what it has done when it has failed', async () => {
    const values = { status: 'failed', reason: 'quota_exceeded', error: 'Used up.', completedAt: new Date() } as const;
    const id = await addResearchSession(platform, tenant.user, values);
    await addFindings(platform, tenant.user, id);
    await tell(platform, id, [{ type: 'error', data: { reason: 'quota_exceeded', message: 'Used up.' } }]);

    const { status, body } = await act(id, 'resume');

    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'queued', reason: null, error: null, started_at: null, completed_at: null });
    expect([body.steps.length, body.sources.length]).toEqual([2, 2]);
    const [row] = await platform.query('SELECT run FROM research_sessions WHERE id = $1', [id]);
    expect(row).toEqual({ run: 2 });
    expect((await eventsOf(id))[1]).toMatchObject({ id: 2, type: 'status', data: { status: 'queued' } });
    expect(await jobsOf(id)).toEqual([{ sessionId: id, run: 2 }]);
  });

  it('is resumed by a token that may read its knowledge bases', async () => {
    const values = { status: 'failed', knowledgebaseIds: [`kb_${UNKNOWN}`] } as const;
    const id = await addResearchSession(platform, tenant.user, values);
    const { token } = await addApiToken(platform, tenant.user.token, ['researcher:write']);

    const { status } = await act(id, 'resume', token);

    expect([status, (await get(id)).body.status]).toEqual([403, 'failed']);
  });

  it('counts its owner’s sessions', async () => {
    const { user } = await addStaffedTenant(platform);
    const id = await addResearchSession(platform, user);
    await platform.query(
      `INSERT INTO research_sessions SELECT (json_populate_record(s, json_build_object('id', s.id || n))).*
       FROM research_sessions s, generate_series(1, 9999) n WHERE s.id = $1`,
      [id],
    );

    const { status, body } = await create({ question: 'Why?' }, user.token);

    expect([status, body.error.message]).toEqual([409, 'A user may have 10000 sessions at most.']);
  });

  async function eventsOf(id: string): Promise<object[]> {
    return platform.query('SELECT id, type, data FROM research_events WHERE session_id = $1 ORDER BY id', [id]);
  }

  async function jobsOf(id: string): Promise<unknown[]> {
    const sql = `SELECT data->'payload' AS payload FROM jobs.job WHERE name = 'researcher.session' AND data->'payload'->>'sessionId' = $1`;
    return (await platform.query<{ payload: unknown }>(sql, [id])).map(({ payload }) => payload);
  }

  async function foreignConfig(): Promise<object> {
    const { body } = await addCredibilityConfig(platform, other.admin.token);
    return { credibility_config_id: body.id };
  }

  async function baseOf(token: string, isPrivate = true): Promise<object> {
    return { knowledgebase_ids: [(await KnowledgeProbe.create(platform, token, { is_private: isPrivate })).id] };
  }

  async function mixedBases(): Promise<object> {
    const tokens = [tenant.user.token, tenant.admin.token];
    const bases = await Promise.all(tokens.map((token) => KnowledgeProbe.create(platform, token)));
    return { knowledgebase_ids: bases.map(({ id }) => id) };
  }

  async function replayOf(user: { id: string; tenantId: string }, status = 'completed'): Promise<object> {
    return { replay_of: await addResearchSession(platform, user, { status: status as 'completed' }) };
  }
});
