import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PasswordHasher } from '../../../src/identity/passwords/password-hasher.js';
import { newId } from '../../../src/platform/ids.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { lifeOf, makeCall, request } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const PASSWORD = 'seven quiet herons by the lake';
/** Several batches of what one transaction of the erasure changes. */
const OLD_CALLS = 9_000;
/** The job begins within this, and is over soon after it. */
const LONGEST_LIFE_MS = 1_500;
const SERVICE = newServiceKey();

/** Users with many calls are deleted, and every process is killed at some point of it. */
export const deletionKilled: Scenario = {
  name: 'deletion killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const database = await environment.database();
    const { replicas, query } = await environment.replicas(upstream, { count: 2, env: SERVICE.env, database });
    const passwordHash = await new PasswordHasher().hash(PASSWORD);
    // Each takes some ten seconds, most of which the dead are still taken for living.
    const rounds = Math.ceil(environment.rounds / 5);
    let calls = 0;
    for (let round = 0; round < rounds; round += 1) {
      const person = await addPerson(query, passwordHash);
      const token = await signIn(replicas[0] as Replica, person.email);
      await makeCall(lifeOf(replicas[0] as Replica), token, {
        mark: `d${round}`,
        stream: false,
        pace: { pieces: 1, milliseconds: 0 },
      });
      calls += await addOldCalls(query, person);
      const { status } = await request(lifeOf(replicas[1] as Replica), 'DELETE', `/v1/auth/users/${person.id}`, {
        token: SERVICE.key,
      });
      await sleep(environment.random.between(0, LONGEST_LIFE_MS));
      await Promise.all(replicas.map((replica) => replica.kill()));
      await Promise.all(replicas.map((replica) => replica.start()));
      await eventually('the user is erased', 90, async () => {
        const rows = await query('SELECT FROM users WHERE id = $1', [person.id]);
        return rows.length === 0;
      });
      failOn([...(status === 204 ? [] : [`the deletion was ${status}`]), ...(await tracesOf(query, person))]);
    }
    await Promise.all(replicas.map((replica) => replica.stop()));
    await verify(database.url);
    const [row] = await query<{ count: number }>('SELECT count(*)::integer AS count FROM calls');
    if ((row?.count ?? 0) < calls) throw new Error(`Of ${calls} calls ${row?.count} are left.`);
    return { rounds, calls };
  },
};

interface Person {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
}

async function addPerson(query: Query, passwordHash: string): Promise<Person> {
  const [tenant] = await query<{ id: string }>('SELECT id FROM tenants');
  const person = { id: newId('usr'), tenantId: tenant?.id ?? '', email: `${newId('usr')}@people.test` };
  await query(
    `INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, status, privileges,
                        group_memberships, user_version, created_at)
     VALUES ($1, $2, $3, $3, $4, true, 'active', '{user}', '{}', 1, now())`,
    [person.id, person.tenantId, person.email, passwordHash],
  );
  return person;
}

async function signIn(replica: Replica, email: string): Promise<string> {
  const { body } = await request(lifeOf(replica), 'POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
  return body.access_token;
}

/** Calls as the ledger has them, and the counters that they move. */
async function addOldCalls(query: Query, { id, tenantId, email }: Person): Promise<number> {
  await query(
    `INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state, outcome,
                        prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, created_at, settled_at)
     SELECT $1 || n, $2, $3, 'tok_' || n, $4, 'p', 'chat', 'm', 'b', 'exact', 'completed', 3, 4, 0, 5,
            date_trunc('month', now(), 'UTC'), now(), now()
     FROM generate_series(1, $5::integer) n`,
    [newId('call'), tenantId, id, email, OLD_CALLS],
  );
  await query(
    `INSERT INTO quota_counters AS c (subject, period, settled_calls, settled_tokens)
     SELECT subject, date_trunc('month', now(), 'UTC'), $3::bigint, $3::bigint * 7 FROM unnest(ARRAY[$1, $2]) subject
     ON CONFLICT (subject, period) DO UPDATE
     SET settled_calls = c.settled_calls + excluded.settled_calls,
         settled_tokens = c.settled_tokens + excluded.settled_tokens`,
    [tenantId, id, OLD_CALLS],
  );
  return OLD_CALLS;
}

/** Where the database still tells of somebody: a sentence for each table. Revocations end by themselves. */
async function tracesOf(query: Query, { id, email }: Person): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'jobs') AND tablename <> 'revocations'`,
  );
  const found = [];
  for (const { name } of tables) {
    const sql = `SELECT FROM ${name} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%' OR to_jsonb(t)::text LIKE '%' || $2 || '%' LIMIT 1`;
    if ((await query(sql, [id, email])).length > 0) found.push(`${name} still tells of a deleted user`);
  }
  return found;
}

async function verify(url: string): Promise<void> {
  const command = join(import.meta.dirname, '../../../dist/cli/verify-ledger.js');
  const env = { PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEY: 'c'.repeat(64) };
  await promisify(execFile)(process.execPath, [command], { env });
}
