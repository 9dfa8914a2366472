import type { Client } from 'pg';
import { addAccounts, withDatabase } from './accounts.js';
import { bearer, callApi, signIn } from './api.js';
import { account, gateway } from './contenders.js';
import type { Environment } from './environment.js';
import type { Target } from './load.js';
import { percentile } from './load.js';
import type { Figure, Section } from './section.js';

const USERS = 100_000;
const QUICK_USERS = 10_000;
const ASKED = 60;
const WARM_UP = 10;

const TENANTS = `
  INSERT INTO tenants (id, name, plan, allowed_plans, created_at, updated_at)
  SELECT 'ten_' || lpad(n::text, 26, '0'), 'Tenant ' || n, 'free', '{}', now(), now() FROM generate_series(1, 20) n`;

/**
 * Of six users one is in another of 20 tenants. 400 names, before each Person; of the oldest, a hundredth is called Oldtimer, and some
 * are disabled, who are nowhere else; every 50th is suspended, and nobody called Anna.
 */
const FILL = `
  INSERT INTO users (id, tenant_id, email, username, confirmed, status, privileges, group_memberships, user_version, created_at)
  SELECT 'usr_' || lpad(n::text, 26, '0'),
         CASE WHEN n % 6 = 0 THEN 'ten_' || lpad((1 + n / 6 % 20)::text, 26, '0') ELSE t.id END,
         lower(first) || '.' || lower(last) || n || '@example.test', 'Person ' || first || ' ' || last, true,
         CASE WHEN n < 60 THEN 'disabled' WHEN n % 50 = 7 THEN 'suspended' ELSE 'active' END, '{user}', '{}', 1, now()
  FROM (SELECT n, CASE WHEN n <= $1 / 100 THEN 'Oldtimer' ELSE (ARRAY['Anna', 'Ben', 'Carla', 'David', 'Emma', 'Felix',
                 'Greta', 'Hugo', 'Ida', 'Jonas', 'Klara', 'Leo', 'Maria', 'Nils', 'Olga', 'Paul', 'Quinn', 'Rosa', 'Simon',
                 'Tina'])[1 + n % 20] END AS first,
               (ARRAY['Albrecht', 'Berger', 'Clausen', 'Dietz', 'Ernst', 'Fuchs', 'Graf', 'Hahn', 'Illner', 'Jung', 'Koch',
                 'Lang', 'Meyer', 'Neumann', 'Otto', 'Peters', 'Quast', 'Richter', 'Schmidt', 'Thoma'])[1 + n / 20 % 20] AS last
        FROM generate_series(1, $1::integer * 6 / 5) n) names, tenants t
  WHERE t.is_default ORDER BY n`;

type Parameters = Readonly<Record<string, string>>;

/** Pages of users that are asked for, by the parameters of their queries. */
const PAGES: Readonly<Record<string, Parameters>> = {
  'the first page': {},
  'a page in the middle': { after: cursor(USERS / 2) },
  'search, 5 % have it': { search: 'anna' },
  'search, a handful has it': { search: 'rosa.koch9' },
  'search, nobody has it': { search: 'qqqq' },
  'search, only the oldest have it': { search: 'oldtimer' },
  'search, everybody has it': { search: 'person ' },
  'suspended, 2 %': { status: 'suspended' },
  'disabled, only the oldest': { status: 'disabled' },
  'search and status, each frequent, together nobody': { search: 'anna', status: 'suspended' },
};

const GRAPHQL = `query ($search: String, $status: UserStatus, $after: String, $order: SortOrder) {
  users(search: $search, status: $status, after: $after, order: $order, first: 20) {
    edges { node { id email username status privileges } } pageInfo { hasNextPage endCursor } totalCount
  }
}`;

/** What a page of a long list of users takes. */
export function userReading(environment: Environment, isQuick: boolean): Section {
  const count = isQuick ? QUICK_USERS : USERS;
  return {
    name: 'users',
    title: `Users by page, of ${count.toLocaleString('en')} in a tenant`,
    about: `PostgreSQL; a fifth as many more in 20 other tenants, which a sysadmin sees, too. Pages of 20, of ${ASKED} requests one after
another. GraphQL counts them all, to at most 10,000.`,
    rounds: 1,
    columns: ['admin, REST', 'sysadmin, REST', 'admin, GraphQL', 'sysadmin, GraphQL'],
    measure: async (column) => {
      const [who, door] = column.split(', ');
      const running = await gateway(environment, 'this server').start();
      try {
        await withDatabase(running.database, (database) => fill(database, count));
        const target = who === 'sysadmin' ? running.target : await administrator(running.target.origin);
        const figures: Figure[] = [];
        for (const [name, parameters] of Object.entries(PAGES)) {
          const times = await timesOf(() => (door === 'REST' ? list : query)(target, parameters));
          figures.push({ row: `${name}: p50, ms`, value: percentile(times, 0.5), reach: { atMost: 20 } });
          figures.push({ row: `${name}: p95, ms`, value: percentile(times, 0.95), reach: { atMost: 20 } });
        }
        return figures;
      } finally {
        await running.stop();
      }
    },
  };
}

function cursor(n: number): string {
  return Buffer.from(`usr_${String(n).padStart(26, '0')}`).toString('base64url');
}

/** Straight into the tables: through the server it would take hours. */
async function fill(database: Client, count: number): Promise<void> {
  await database.query(TENANTS);
  await database.query(FILL, [count]);
  await addAccounts(database, { name: 'administrator', count: 1, privileges: ['user', 'admin'] });
  await database.query('VACUUM ANALYZE users');
}

async function administrator(origin: string): Promise<Target> {
  const tokens = await signIn(origin, { ...account, email: 'administrator1@example.test' });
  return bearer(origin, tokens.access_token);
}

async function list(target: Target, parameters: Parameters): Promise<void> {
  await callApi(target, { method: 'GET', path: `/v1/admin/users?${new URLSearchParams(parameters)}` });
}

async function query(target: Target, variables: Parameters): Promise<void> {
  const body = { query: GRAPHQL, variables };
  const answer = await callApi<{ errors?: unknown }>(target, { method: 'POST', path: '/graphql', body });
  if (answer.errors) throw new Error(`GraphQL answered ${JSON.stringify(answer.errors)}`);
}

/** In milliseconds, sorted. */
async function timesOf(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let asked = -WARM_UP; asked < ASKED; asked += 1) {
    const startedAt = performance.now();
    await run();
    if (asked >= 0) times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b);
}
