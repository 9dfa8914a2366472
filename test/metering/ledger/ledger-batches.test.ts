import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyLedger } from '../../../src/metering/domain.js';
import { Ledger } from '../../../src/metering/ledger/ledger.js';
import { flushValues, LEDGER_FLUSH } from '../../../src/metering/ledger/ledger-flush.js';
import type { VerdictRow } from '../../../src/metering/ledger/ledger-flush.js';
import type { Intent, Settlement } from '../../../src/metering/ledger/ledger.types.js';
import { newId } from '../../../src/platform/ids.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { LedgerModel } from './ledger-model.js';
import type { Limits } from './ledger-model.js';
import { LEDGER_RUNS } from './ledger-runs.js';
import type { CallEnd } from './ledger-runs.js';

const PERIOD = '2026-11-01';
let opened: OpenTestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

it('does with a whole batch what would be done one by one', async () => {
  let [limited, refused, admitted] = [0, 0, 0];

  await fc.assert(
    fc.asyncProperty(LEDGER_RUNS, async ({ quota: given, userTokens, batches }) => {
      const tenants = [await addTenant(given), await addTenant()];
      const users = Array.from({ length: 4 }, () => newId('usr'));
      const settings = { processId: randomUUID(), userTokens: userTokens ?? undefined };
      const model = new LedgerModel(
        (subject) => (given?.enforcing && tenants[0] === subject ? given.limits : undefined),
        (tenant) => (tenant === tenants[0] && given ? undefined : settings.userTokens),
      );
      const known: Intent[] = [];
      for (const { intents, settlements, again, times } of batches) {
        const fresh = intents.map(({ user, reserve, claim, metered }): Intent => {
          const owner = { id: newId('call'), tenantId: tenants[user % 2] as string, userId: users[user] as string };
          const call = {
            tokenId: 't',
            requestId: 'r',
            model: 'm',
            backend: 'b',
            createdAt: new Date(),
            period: PERIOD,
          };
          const area = metered || claim === null ? 'chat' : null;
          const claimed = claim === null ? {} : { claim: { id: `${owner.userId} ${claim}`, fingerprint: owner.id } };
          return { ...owner, ...call, area, promptTokens: 1, reservedTokens: area === null ? 0 : reserve, ...claimed };
        });
        const ends = known.length === 0 ? [] : settlements.map((end) => settlementOf(pick(known, end.call), end));
        const repeated = known.length === 0 ? [] : [...new Set(again.map((at) => pick(known, at)))];
        const asking = [...repeated, ...fresh];
        for (let time = 0; time < times; time += 1) {
          const rows = await sql<VerdictRow>(LEDGER_FLUSH, flushValues(settings, asking, ends));
          const expected = model.flush(asking, ends);
          expect(verdictsOf(rows)).toEqual(expected);
          const refusals = expected.filter(({ verdict }) => verdict !== 'limited').length;
          limited += expected.length - refusals;
          refused += refusals;
          admitted += asking.length - refusals;
        }
        known.push(...fresh);
        expect(await countersOf([...tenants, ...users])).toEqual(model.counters());
        expect(await callsOf(tenants)).toEqual(model.calls());
      }
    }),
    { numRuns: 100 },
  );

  expect(Math.min(limited, refused, admitted)).toBeGreaterThan(100);
});

onPostgres.it(
  'keeps counters, limits and rows together while processes work on the same calls at once',
  async () => {
    const limits = { requests: 300, tokens: null, userRequests: 90, userTokens: null };
    const tenantId = await addTenant({ enforcing: true, limits });
    const users = Array.from({ length: 5 }, () => newId('usr'));
    const ledgers = Array.from({ length: 3 }, () => {
      return new Ledger(opened.database, { processId: randomUUID(), userTokens: undefined }, silentLog);
    });
    const run = async (n: number): Promise<string> => {
      const owner = { id: newId('call'), tenantId, userId: pick(users, n * n), period: PERIOD };
      const call = { tokenId: 't', requestId: 'r', model: 'm', backend: 'b', createdAt: new Date() };
      const area = 'chat';
      const { kind } = await pick(ledgers, n).admit({ ...owner, ...call, area, promptTokens: 1, reservedTokens: n });
      if (kind !== 'admitted') return kind;
      const end = { ...owner, outcome: 'completed', durationMs: 1, keepClaim: false, promptTokens: 2 } as const;
      // Others take it for dead at the moment when it ends.
      await Promise.all([
        pick(ledgers, n).settle({ ...end, state: 'exact', completionTokens: n }),
        pick(ledgers, n + 1).settle({ ...end, state: 'estimated', completionTokens: 0, recovered: true }),
        pick(ledgers, n + 2).settle({ ...end, state: 'estimated', completionTokens: 0, recovered: true }),
      ]);
      return kind;
    };

    const kinds = await Promise.all(Array.from({ length: 900 }, (_, n) => run(n)));
    await Promise.all(ledgers.map((ledger) => ledger.close()));

    const counters = await countersOf([tenantId, ...users]);
    expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(counters[tenantId]?.[2] as number);
    expect(counters[tenantId]?.slice(0, 3)).toEqual([0, 0, expect.any(Number)]);
    expect(counters[tenantId]?.[2]).toBeLessThanOrEqual(300);
    for (const user of users) expect(counters[user]?.[2] ?? 0).toBeLessThanOrEqual(90);
    expect((await verifyLedger(opened.database.dataSource, 0)).differences).toEqual([]);
    const text = "SELECT count(*)::integer AS n FROM calls WHERE tenant_id = $1 AND state <> 'exact'";
    expect(await sql(text, [tenantId])).toEqual([{ n: 0 }]);
  },
  60_000,
);

function sql<Row>(text: string, values: unknown[]): Promise<Row[]> {
  return opened.database.dataSource.query(text, values);
}

async function addTenant(given?: { readonly enforcing: boolean; readonly limits: Limits } | null): Promise<string> {
  const id = newId('ten');
  await sql(`INSERT INTO tenants VALUES ($1, 'A tenant', 'free', '{}', now(), now())`, [id]);
  if (!given) return id;
  const { requests, tokens, userRequests, userTokens } = given.limits;
  await sql('INSERT INTO tenant_quotas VALUES ($1, $2, $3, $4, $5, $6, now())', [
    id,
    given.enforcing,
    requests,
    tokens,
    userRequests,
    userTokens,
  ]);
  return id;
}

function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length] as T;
}

function settlementOf({ id, tenantId, userId, area }: Intent, end: CallEnd): Settlement {
  const { prompt, completion, keep, recovered } = end;
  // Recovery knows the estimate alone.
  const state = recovered ? 'estimated' : (end.state as Settlement['state']);
  const used = area === null ? [0, 0] : [prompt, completion];
  const numbers = { promptTokens: used[0] ?? 0, completionTokens: used[1] ?? 0, durationMs: 1 };
  const owner = { id, tenantId, userId, period: PERIOD };
  return { ...owner, ...numbers, state, recovered, outcome: 'completed', keepClaim: keep };
}

function verdictsOf(rows: readonly VerdictRow[]): object[] {
  return rows.map(({ call_id, verdict, state, fingerprint }) => ({ id: call_id, verdict, state, fingerprint }));
}

async function countersOf(subjects: readonly string[]): Promise<Record<string, number[]>> {
  const text = `
    SELECT subject, ARRAY[open_calls, reserved_tokens, settled_calls, settled_tokens]::integer[] AS numbers
    FROM quota_counters WHERE subject = ANY ($1)`;
  const rows = await sql<{ subject: string; numbers: number[] }>(text, [subjects]);
  return Object.fromEntries(rows.map(({ subject, numbers }) => [subject, numbers]));
}

async function callsOf(tenants: readonly string[]): Promise<Record<string, unknown>> {
  const text = `
    SELECT id, jsonb_build_array(state, recovered, reserved_tokens, prompt_tokens, completion_tokens, claim_id) AS is
    FROM calls WHERE tenant_id = ANY ($1)`;
  const rows = await sql<{ id: string; is: unknown }>(text, [tenants]);
  return Object.fromEntries(rows.map(({ id, is }) => [id, is]));
}
