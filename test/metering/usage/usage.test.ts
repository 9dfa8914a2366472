import { beforeEach, describe, expect, it } from '@jest/globals';
import { flushValues, LEDGER_FLUSH } from '../../../src/metering/ledger/ledger-flush.js';
import type { Settlement } from '../../../src/metering/ledger/ledger.types.js';
import { UsageMaintenance } from '../../../src/metering/usage/usage-maintenance.js';
import { newId } from '../../../src/platform/ids.js';
import { addSignedInAdmin, addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';

const HOUR_MS = 3_600_000;

describe('what was used', () => {
  const platform = usePlatform();
  const tenant = useTenant(platform);
  let me: Client;

  beforeEach(async () => {
    me = platform.as(tenant.user.token);
    await emptyLedger();
  });

  it('is a series by day, or by hour, in UTC', async () => {
    await settle([...three(), { at: at('2026-01-03T00:00:00.000Z') }, { at: at('2025-12-31T23:59:59.999Z') }]);

    const [days, hours] = [await series(''), await series('interval=hour')];

    expect(days).toMatchObject({ object: 'usage', interval: 'day', from: '2026-01-01T00:00:00.000Z' });
    const rows = (body: { data: { start: string; requests: number; total_tokens: number }[] }) =>
      body.data.map(({ start, requests, total_tokens }) => [start.slice(0, 13), requests, total_tokens]);
    expect(rows(days)).toEqual([
      ['2026-01-01T00', 2, 15],
      ['2026-01-02T00', 1, 3],
    ]);
    expect(rows(hours)).toEqual([
      ['2026-01-01T00', 1, 10],
      ['2026-01-01T23', 1, 5],
      ['2026-01-02T12', 1, 3],
    ]);
    expect(days.totals).toEqual({
      requests: 3,
      prompt_tokens: 15,
      completion_tokens: 3,
      total_tokens: 18,
      audio_seconds: 0,
    });
  });

  it('is divided by model and area, and narrowed to some', async () => {
    await settle(three());

    const divided = await series('group_by=model,area');
    const narrowed = await series('model=m&area=chat');

    expect(divided.data.map(({ model, area, requests }: Record<string, unknown>) => [model, area, requests])).toEqual([
      ['m', 'chat', 1],
      ['n', 'chat', 1],
      ['m', 'embeddings', 1],
    ]);
    expect(narrowed.totals.requests).toBe(1);
    expect(narrowed.data[0]).toMatchObject({ model: null, area: null, user_id: null });
  });

  it('equals the ledger before, while and after it is counted into hours, whoever counts', async () => {
    await settle([...three(), { at: at('2026-01-02T12:30:00.000Z'), area: null }]);
    const before = await series('interval=hour&group_by=model,area');

    await Promise.all([maintenance().rollUp(), maintenance().rollUp()]);
    const after = await series('interval=hour&group_by=model,area');
    // Settled behind the watermark, as every new call is.
    await settle([{ at: new Date(Date.now() - 1_000), tokens: 7 }]);
    const now = await me.get('/v1/usage?interval=hour&from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z');
    const today = await me.get(`/v1/usage?from=${new Date(Date.now() - HOUR_MS).toISOString()}`);

    expect(before.totals.requests).toBe(3);
    expect(after).toEqual(before);
    expect(now.body.totals).toEqual(before.totals);
    expect(today.body.totals).toMatchObject({ requests: 1, total_tokens: 7 });
  });

  it('follows the correction of an estimate that was counted already', async () => {
    await settle([{ at: at('2026-01-01T10:00:00.000Z'), state: 'estimated', tokens: 100 }]);
    await maintenance().rollUp();
    const sql = 'SELECT id, tenant_id AS "tenantId", user_id AS "userId" FROM calls WHERE user_id = $1';
    const [call] = await platform.query<Pick<Settlement, 'id' | 'tenantId' | 'userId'>>(sql, [tenant.user.id]);
    const numbers = { promptTokens: 4, completionTokens: 2, durationMs: 9 };
    const end = { state: 'exact', outcome: 'completed', keepClaim: false, ...numbers } as const;
    const told = { ...(call as typeof call & object), period: '2026-01-01', ...end };
    const values = flushValues({ processId: 'p', userTokens: undefined }, [], [told]);

    for (let times = 0; times < 2; times += 1) await platform.query(LEDGER_FLUSH, values);

    expect((await series('')).totals).toEqual({
      requests: 1,
      prompt_tokens: 4,
      completion_tokens: 2,
      total_tokens: 6,
      audio_seconds: 0,
    });
  });

  it('is shown to the user, to administrators of the tenant, and to nobody else', async () => {
    await settle(three());
    const { token: colleague } = await addSignedInUser(platform, tenant.id);
    const { token: stranger } = await addSignedInAdmin(platform, await addTenant(platform));
    const { access_token: sysadmin } = await platform.login();
    const path = '/v1/admin/usage';

    const byUser = await series('group_by=user', tenant.admin.token, path);
    const bySysadmin = await series(`tenant_id=${tenant.id}`, sysadmin, path);

    expect((await series('', colleague)).totals.requests).toBe(0);
    expect(byUser.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([tenant.user.id, tenant.user.id]);
    expect(bySysadmin.totals.requests).toBe(3);
    expect((await series('', stranger, path)).totals.requests).toBe(0);
    expect((await platform.as(stranger).get(`${path}?tenant_id=${tenant.id}`)).status).toBe(404);
    expect((await me.get(path)).status).toBe(403);
  });

  it('is listed call by call, a page at a time, open ones included', async () => {
    await settle([
      ...three(),
      { at: at('2026-01-02T13:00:00.000Z'), state: 'open' },
      { at: at('2026-01-02T14:00:00.000Z'), area: null },
    ]);

    const first = (await me.get('/v1/usage/calls?limit=3')).body;
    const second = (await me.get(`/v1/usage/calls?limit=3&after=${first.next_cursor}`)).body;
    const open = (await me.get('/v1/usage/calls?state=open')).body;
    const bounded = (await me.get('/v1/usage/calls?order=asc&from=2026-01-01T12:00:00Z&to=2026-01-02T12:30:00Z')).body;

    expect([first.data.length, first.has_more, second.data.length, second.has_more]).toEqual([3, true, 1, false]);
    expect(first.data[0]).toMatchObject({
      object: 'usage.call',
      state: 'open',
      outcome: null,
      settled_at: null,
      duration_ms: null,
    });
    expect(second.data[0]).toMatchObject({
      request_id: 'r-m',
      state: 'exact',
      area: 'chat',
      prompt_tokens: 9,
      total_tokens: 10,
      outcome: 'completed',
    });
    expect(open.data).toHaveLength(1);
    expect(bounded.data.map(({ model }: { model: string }) => model)).toEqual(['n']);
  });

  it('has spans that make sense', async () => {
    const wrong = [
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'from=2020-01-01T00:00:00Z',
      'interval=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z',
      'interval=week',
      'group_by=colour',
      'from=yesterday',
    ];

    const answers = await Promise.all(wrong.map((query) => me.get(`/v1/usage?${query}`)));

    expect(answers.map(({ status }) => status)).toEqual(Array(wrong.length).fill(400));
    expect(answers[2]?.body.error).toMatchObject({ param: 'from', message: expect.stringMatching(/31 days/) });
  });

  it('is forgotten call by call when its time is over, and stays in the hours', async () => {
    await settle(three());
    await maintenance().rollUp();

    await maintenance({ callsDays: 30, hoursDays: 0 }).purgeExpired();

    expect((await me.get('/v1/usage/calls')).body.data).toEqual([]);
    expect((await series('')).totals.requests).toBe(3);
  });

  function maintenance(rows = { callsDays: 0, hoursDays: 0 }): UsageMaintenance {
    return new UsageMaintenance(platform.app.database, rows);
  }

  /** Rows are settled in the past here, which was counted before. */
  async function emptyLedger(): Promise<void> {
    await platform.query('DELETE FROM calls');
    await platform.query('DELETE FROM usage_hours');
    await platform.query("UPDATE usage_watermark SET rolled_up_to = '-infinity'");
  }

  /** Three calls of two days. */
  function three(): Settled[] {
    return [
      { at: at('2026-01-01T00:00:00.000Z') },
      { at: at('2026-01-01T23:59:59.999Z'), model: 'n', tokens: 5 },
      { at: at('2026-01-02T12:30:00.000Z'), area: 'embeddings', tokens: 3 },
    ];
  }

  /** Rows of the ledger, as if calls had been settled then. */
  async function settle(calls: readonly Settled[], userId = tenant.user.id): Promise<void> {
    // Those of one millisecond have no order.
    const ids = calls.map(() => newId('call')).sort();
    for (const { at, model = 'm', area = 'chat', state = 'exact', tokens = 10 } of calls) {
      await platform.query(
        `INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state, outcome,
                            prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, created_at, settled_at)
         VALUES ($1, $2, $3, 't', $4, 'p', $5, $6, 'b', $7, $8, $9, 1, 0, 5, '2026-01-01', $10, $11)`,
        [
          ids.shift(),
          tenant.id,
          userId,
          `r-${model}`,
          area,
          model,
          state,
          state === 'open' ? null : 'completed',
          tokens - 1,
          at,
          state === 'open' ? null : at,
        ],
      );
    }
  }

  function at(text: string): Date {
    return new Date(text);
  }

  async function series(query: string, token = tenant.user.token, path = '/v1/usage') {
    const span = 'from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z';
    const { status, body } = await platform.as(token).get(`${path}?${span}&${query}`);
    expect(status).toBe(200);
    return body;
  }
});

interface Settled {
  readonly at: Date;
  readonly model?: string;
  readonly area?: string | null;
  readonly state?: 'exact' | 'estimated' | 'open';
  readonly tokens?: number;
}
