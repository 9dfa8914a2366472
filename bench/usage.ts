import { Client } from 'pg';
import { callApi } from './api.js';
import { gateway } from './contenders.js';
import type { Environment } from './environment.js';
import type { Target } from './load.js';
import { percentile } from './load.js';
import type { Section } from './section.js';

const ROWS = 10_000_000;
const QUICK_ROWS = 100_000;
/** Users of the tenant, and how many days of its calls there are. */
const USERS = 200;
const DAYS = 90;
const ASKED = 20;

const INDEXES = ['calls_user', 'calls_settled_at', 'calls_operations', 'calls_claim', 'calls_open'];

/** Calls of the last days, evenly spread, some of them the caller's own; all but the last minutes are counted in hours. */
const FILL = `
  INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state, outcome,
                     prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, created_at, settled_at)
  SELECT 'call_' || lpad(n::text, 26, '0'), $2, CASE WHEN n % $5 = 0 THEN $3 ELSE 'usr_' || n % $5 END, 'tok', 'r' || n, 'p',
         (ARRAY['chat', 'responses', 'embeddings'])[1 + n % 3], 'model-' || n % $5 % 7, 'gpu', 'exact', 'completed', 300, 100, 0,
         900, date_trunc('month', at)::date, at, at
  FROM (SELECT n, now() - make_interval(secs => (($1 - n)::float8 * $4 * 86400) / $1) AS at FROM generate_series(1, $1) n) c`;

const COUNT = `
  WITH until AS (UPDATE usage_watermark SET rolled_up_to = date_trunc('minute', now() - interval '1 minute') RETURNING rolled_up_to)
  INSERT INTO usage_hours (hour, tenant_id, user_id, area, model, calls, prompt_tokens, completion_tokens)
  SELECT date_trunc('hour', settled_at, 'UTC'), tenant_id, user_id, area, model, count(*), sum(prompt_tokens),
         sum(completion_tokens)
  FROM calls, until WHERE settled_at < until.rolled_up_to GROUP BY 1, 2, 3, 4, 5`;

/** What reading usage takes over a large ledger. */
export function usageReading(environment: Environment, isQuick: boolean): Section {
  const rows = isQuick ? QUICK_ROWS : ROWS;
  return {
    name: 'usage',
    title: `Usage over ${rows.toLocaleString('en')} calls`,
    about: `PostgreSQL; calls of ${USERS} users in ${DAYS} days, by day and night, each of one model and three kinds; counted into hours but
for the last minute. Medians of ${ASKED}.`,
    columns: ['this server'],
    rounds: 1,
    measure: async () => {
      const running = await gateway(environment, 'this server').start();
      try {
        await fill(running.database, await whoAmI(running.target), rows);
        const from = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString();
        const reach = { below: 200 };
        return [
          { row: 'GET /v1/usage, days, ms', value: await median(running.target, `/v1/usage?from=${from}`), reach },
          {
            row: 'GET /v1/usage, days by model, ms',
            value: await median(running.target, `/v1/usage?from=${from}&group_by=model`),
            reach,
          },
          {
            row: "GET /v1/admin/usage, this month's days by model, ms",
            value: await median(running.target, '/v1/admin/usage?group_by=model'),
            reach,
          },
          { row: 'GET /v1/usage/calls, ms', value: await median(running.target, '/v1/usage/calls?limit=100'), reach },
        ];
      } finally {
        await running.stop();
      }
    },
  };
}

async function whoAmI(target: Target): Promise<{ tenantId: string; userId: string }> {
  const body = { query: '{ me { id tenant { id } } }' };
  const { data } = await callApi<{ data: { me: { id: string; tenant: { id: string } } } }>(target, {
    method: 'POST',
    path: '/graphql',
    body,
  });
  return { userId: data.me.id, tenantId: data.me.tenant.id };
}

/** Straight into the tables: through the server it would take hours. */
async function fill(url: string, { tenantId, userId }: { tenantId: string; userId: string }, rows: number) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ indexdef: string }>(
      "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname = ANY ($1)",
      [INDEXES],
    );
    await client.query('BEGIN');
    // Whoever counts calls into hours holds this lock: the server must not count what is counted here.
    await client.query('SELECT pg_advisory_xact_lock(7217002)');
    for (const index of INDEXES) await client.query(`DROP INDEX ${index}`);
    await client.query(FILL, [rows, tenantId, userId, DAYS, USERS]);
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query(COUNT);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE calls, usage_hours');
  } finally {
    await client.end();
  }
}

async function median(target: Target, path: string): Promise<number> {
  const times: number[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const startedAt = performance.now();
    await callApi(target, { method: 'GET', path });
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}
