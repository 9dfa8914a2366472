import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addCredibilityConfig } from '../../support/builders/credibility.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, RestAnswer } from '../../support/servers/platform.js';
import { addResearchSession, SESSIONS } from '../../support/builders/research.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';
import { searxngAnswer, startSearchBed } from '../../support/servers/scripted-search.js';
import type { SearchBed } from '../../support/servers/scripted-search.js';

const UNKNOWN = '01h45ytscbebyvny4gc8cr8ma2';

describe('a research session that is made', () => {
  let [bed, platform, tenant, other]: [SearchBed, Platform, StaffedTenant, StaffedTenant] = [] as never;
  beforeAll(async () => {
    bed = await startSearchBed();
    ({ platform } = bed);
    [tenant, other] = [await addStaffedTenant(platform), await addStaffedTenant(platform)];
  });
  afterAll(() => bed.close());

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
      // The job may have begun by now.
      steps: expect.any(Array),
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
    const values = { status: 'completed' as const, knowledgebaseIds: [`kb_${UNKNOWN}`] };
    const replayed = await addResearchSession(platform, tenant.user, values);

    const { status } = await create({ question: 'Why?', replay_of: replayed }, token);

    expect(status).toBe(403);
  });

  it('asks for it also where a replay of such a session is replayed', async () => {
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const values = { status: 'completed' as const, knowledgebaseIds: [base.id] };
    const original = await addResearchSession(platform, tenant.user, values);
    const replay = await create({ question: 'Why?', replay_of: original });
    await platform.query(`UPDATE research_sessions SET status = 'completed' WHERE id = $1`, [replay.body.id as string]);
    const { token } = await addApiToken(platform, tenant.user.token, ['researcher:write']);

    const [without, owner] = [
      await create({ question: 'Why?', replay_of: replay.body.id }, token),
      await create({ question: 'Why?', replay_of: replay.body.id }),
    ];

    expect([without.status, owner.status, owner.body.knowledgebase_ids]).toEqual([403, 202, [base.id]]);
  });

  it('reads nothing again of a knowledge base that is gone', async () => {
    const values = { status: 'completed' as const, knowledgebaseIds: [`kb_${UNKNOWN}`] };
    const original = await addResearchSession(platform, tenant.user, values);

    expect((await create({ question: 'Why?', replay_of: original })).status).toBe(404);
  });

  it('has 20 at most of a user that are not over', async () => {
    const { user } = await addStaffedTenant(platform);
    const [first] = await Promise.all(Array.from({ length: 20 }, () => addResearchSession(platform, user)));
    const refused = await create({ question: 'Why?' }, user.token);
    await platform.query(`UPDATE research_sessions SET status = 'completed' WHERE id = $1`, [first]);

    const taken = await create({ question: 'Why?' }, user.token);

    expect([refused.status, refused.body.error.code, taken.status]).toEqual([409, 'conflict', 202]);
  });

  it('has 20 at most also where they are made at the same time', async () => {
    const { user } = await addStaffedTenant(platform);
    await Promise.all(Array.from({ length: 18 }, () => addResearchSession(platform, user)));

    // The search engine does not answer before all have been asked for: none is over by then.
    const asked = Promise.withResolvers<void>();
    bed.searxng.byDefault = () => heldUntil(asked.promise, searxngAnswer([]));
    const answers = await Promise.all(Array.from({ length: 12 }, () => create({ question: 'Why?' }, user.token)));
    asked.resolve();

    expect(answers.map(({ status }) => status).filter((status) => status === 202)).toHaveLength(2);
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

  it('needs something to search: a provider, knowledge bases, or a session to replay', async () => {
    const bare = await startPlatform();
    const { user } = await addStaffedTenant(bare);
    const base = await KnowledgeProbe.create(bare, user.token);
    const replayed = await addResearchSession(bare, user, { status: 'cancelled' });
    const ways = [{}, { knowledgebase_ids: [base.id] }, { replay_of: replayed }];

    const answers = await Promise.all(
      ways.map((way) => bare.request('POST', SESSIONS, { token: user.token, body: { question: 'Why?', ...way } })),
    );
    await bare.close();

    expect(answers.map(({ status }) => status)).toEqual([409, 202, 202]);
    expect(answers[0]?.body.error.code).toBe('capability_not_supported');
  });

  it('is made once for an Idempotency-Key', async () => {
    const request = {
      token: tenant.user.token,
      body: { question: 'Why?' },
      headers: { 'idempotency-key': 'a'.repeat(16) },
    };

    const first = await platform.request('POST', SESSIONS, request);
    const second = await platform.request('POST', SESSIONS, request);

    expect([first.status, second.status, second.body]).toEqual([202, 202, first.body]);
  });

  function create(body: object, token = tenant.user.token): Promise<RestAnswer> {
    return platform.request('POST', SESSIONS, { token, body });
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
