import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ledger } from '../../../src/metering/ledger/ledger.js';
import { flushValues, LEDGER_FLUSH } from '../../../src/metering/ledger/ledger-flush.js';
import type { VerdictRow } from '../../../src/metering/ledger/ledger-flush.js';
import type { Intent, Settlement } from '../../../src/metering/ledger/ledger.types.js';
import { newId } from '../../../src/platform/ids.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { silentLog } from '../../support/probes/silent-log.js';

describe('the ledger', () => {
  let opened: OpenTestDatabase;
  let tenantId: string;

  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    tenantId = await addTenant();
  });

  it('holds what a call reserves until it is settled, and then counts what it has used', async () => {
    const ledger = openLedger();
    const call = intent();

    const verdict = await ledger.admit(call);
    const reserved = await counters();
    await ledger.settle(settlement(call));

    expect(verdict).toEqual({ kind: 'admitted', isLimited: false });
    expect(reserved).toEqual([1, 15, 0, 0]);
    expect(await counters()).toEqual([0, 0, 1, 7]);
  });

  it('settles a call once, however often it is told', async () => {
    const ledger = openLedger();
    const call = intent();
    await ledger.admit(call);

    await ledger.settle(settlement(call));
    await ledger.settle(settlement(call, { promptTokens: 100 }));
    await Promise.all([ledger.settle(settlement(call)), ledger.settle(settlement(call, { state: 'estimated' }))]);

    expect(await counters()).toEqual([0, 0, 1, 7]);
  });

  it('corrects an estimate by the difference, once, and never what is exact', async () => {
    const ledger = openLedger();
    const call = intent();
    await ledger.admit(call);

    await ledger.settle(
      settlement(call, { state: 'estimated', outcome: 'failed', promptTokens: 5, completionTokens: 0 }),
    );
    const estimated = await counters();
    await ledger.settle(settlement(call));
    await ledger.settle(settlement(call, { promptTokens: 1_000 }));
    await ledger.settle(settlement(call, { state: 'estimated', promptTokens: 1_000 }));

    expect(estimated).toEqual([0, 0, 1, 5]);
    expect(await counters()).toEqual([0, 0, 1, 7]);
  });

  it('corrects what recovery settled by the real end, once, also where that is an estimate', async () => {
    const ledger = openLedger();
    const [call, other] = [intent(), intent()];
    const recovered = { state: 'estimated', outcome: 'failed', promptTokens: 5, completionTokens: 0 } as const;
    for (const one of [call, other]) {
      await ledger.admit(one);
      await ledger.settle(settlement(one, { ...recovered, recovered: true }));
    }
    const guessed = await counters();

    await ledger.settle(settlement(call, { state: 'estimated', completionTokens: 9 }));
    await ledger.settle(settlement(call, { state: 'estimated', completionTokens: 1_000 }));
    await ledger.settle(settlement(other));

    expect(guessed).toEqual([0, 0, 2, 10]);
    expect(await counters()).toEqual([0, 0, 2, 20]);
  });

  it('lets recovery settle nothing that has an end', async () => {
    const ledger = openLedger();
    const call = intent();
    await ledger.admit(call);
    await ledger.settle(settlement(call, { state: 'estimated', completionTokens: 9 }));

    await ledger.settle(settlement(call, { promptTokens: 0, completionTokens: 0, outcome: 'failed', recovered: true }));

    expect(await counters()).toEqual([0, 0, 1, 13]);
    const sql = 'SELECT state, outcome FROM calls WHERE id = $1';
    expect(await query(sql, [call.id])).toEqual([{ state: 'estimated', outcome: 'completed' }]);
  });

  it('changes nothing where a flush comes again after a lost connection', async () => {
    await limit({ requests: 2, tokens: 40 });
    const [one, two, ended] = [intent(), intent(), intent()];
    const settings = { processId: randomUUID(), userTokens: undefined };
    await limitless(() => openLedger().admit(ended));
    const values = flushValues(settings, [one, two], [settlement(ended)]);

    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push(await query(LEDGER_FLUSH, values));

    // The second of the two would exceed the limit of two calls, every time.
    const refused = answers.map((rows) => rows.filter((row: VerdictRow) => row.verdict !== 'limited'));
    expect(refused).toEqual(Array(3).fill([expect.objectContaining({ call_id: two.id, verdict: 'requests' })]));
    expect(await counters()).toEqual([1, 15, 1, 7]);
  });

  it('admits exactly what a budget allows, whoever asks at the same time', async () => {
    await limit({ requests: 50 });
    const ledgers = [openLedger(), openLedger(), openLedger()];

    const verdicts = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => (ledgers[n % 3] as Ledger).admit(intent({ userId: `usr_${n % 7}` }))),
    );

    expect(verdicts.filter(({ kind }) => kind === 'admitted')).toHaveLength(50);
    expect(verdicts.filter(({ kind }) => kind === 'requests')).toHaveLength(1_950);
    expect((await counters())[0]).toBe(50);
  });

  it('never reserves more tokens than there are, and refuses without counting', async () => {
    await limit({ tokens: 100 });
    const ledger = openLedger();

    const verdicts = [];
    for (const reservedTokens of [60, 50, 40, 1]) verdicts.push(await ledger.admit(intent({ reservedTokens })));

    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'tokens', 'admitted', 'tokens']);
    expect(await counters()).toEqual([2, 100, 0, 0]);
  });

  it('gives a claim to one call alone, and tells the others how that one stands', async () => {
    const ledgers = [openLedger(), openLedger()] as const;
    const claim = { id: randomUUID(), fingerprint: 'f' };
    const calls = Array.from({ length: 20 }, () => intent({ claim }));

    const verdicts = await Promise.all(calls.map((call, n) => (ledgers[n % 2] as Ledger).admit(call)));
    const winner = calls[verdicts.findIndex(({ kind }) => kind === 'admitted')] as Intent;
    await ledgers[0].settle(settlement(winner, { keepClaim: true, sealedAnswer: Buffer.from('sealed') }));
    const after = await ledgers[1].admit(intent({ claim }));

    expect(verdicts.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
    expect(verdicts.filter(({ kind }) => kind === 'claimed')).toHaveLength(19);
    expect(verdicts.find(({ kind }) => kind === 'claimed')).toEqual({
      kind: 'claimed',
      state: 'open',
      fingerprint: 'f',
    });
    expect(after).toEqual({ kind: 'claimed', state: 'exact', fingerprint: 'f', sealedAnswer: Buffer.from('sealed') });
    expect(await counters()).toEqual([0, 0, 1, 7]);
  });

  it('frees a claim with a settlement that does not keep it, and after a day', async () => {
    const ledger = openLedger();
    const [freed, old] = [randomUUID(), randomUUID()].map((id) => ({ id, fingerprint: 'f' }));
    const first = intent({ claim: freed });
    const yesterday = intent({ claim: old, createdAt: new Date(Date.now() - 86_401_000) });
    await Promise.all([first, yesterday].map((call) => ledger.admit(call)));
    await ledger.settle(settlement(first));
    await ledger.settle(settlement(yesterday, { keepClaim: true }));

    const again = await Promise.all([freed, old].map((claim) => ledger.admit(intent({ claim }))));

    expect(again).toEqual([
      { kind: 'admitted', isLimited: false },
      { kind: 'admitted', isLimited: false },
    ]);
  });

  it('neither meters nor limits an operation that is there for its claim alone', async () => {
    await limit({ requests: 0, tokens: 0 });
    const ledger = openLedger();
    const operation = intent({
      area: null,
      promptTokens: 0,
      reservedTokens: 0,
      claim: { id: randomUUID(), fingerprint: 'f' },
    });

    const verdict = await ledger.admit(operation);
    await ledger.settle(settlement(operation, { promptTokens: 0, completionTokens: 0, keepClaim: true }));

    expect(verdict).toEqual({ kind: 'admitted', isLimited: false });
    expect(await counters()).toEqual([0, 0, 0, 0]);
  });

  it('takes the other calls where one cannot be written', async () => {
    const ledger = openLedger();
    const impossible = intent({ model: 'a\u0000b' });
    const others = Array.from({ length: 9 }, () => intent());

    const results = await Promise.allSettled(
      [...others.slice(0, 4), impossible, ...others.slice(4)].map((call) => ledger.admit(call)),
    );

    expect(results.map(({ status }) => status)).toEqual([
      ...Array(4).fill('fulfilled'),
      'rejected',
      ...Array(5).fill('fulfilled'),
    ]);
    expect(await counters()).toEqual([9, 135, 0, 0]);
  });

  function query(sql: string, values: unknown[] = []) {
    return opened.database.dataSource.query(sql, values);
  }

  async function addTenant(): Promise<string> {
    const id = newId('ten');
    await query(`INSERT INTO tenants VALUES ($1, 'A tenant', 'free', '{}', now(), now())`, [id]);
    return id;
  }

  async function limitless(work: () => Promise<unknown>): Promise<void> {
    await query('UPDATE tenant_quotas SET enforcing = false WHERE tenant_id = $1', [tenantId]);
    await work();
    await query('UPDATE tenant_quotas SET enforcing = true WHERE tenant_id = $1', [tenantId]);
  }

  function openLedger(processId: string = randomUUID()): Ledger {
    return new Ledger(opened.database, { processId, userTokens: undefined }, silentLog);
  }

  function intent(members: Partial<Intent> = {}): Intent {
    const ids = { id: newId('call'), tenantId, userId: 'usr_a', tokenId: 'tok_a', requestId: 'r' };
    const call = { area: 'chat', model: 'm', backend: 'b', createdAt: new Date() } as const;
    return { ...ids, ...call, period: '2026-11-01', promptTokens: 5, reservedTokens: 15, ...members };
  }

  function settlement(call: Intent, members: Partial<Settlement> = {}): Settlement {
    const { id, userId, period } = call;
    const end = { state: 'exact', outcome: 'completed', promptTokens: 4, completionTokens: 3 } as const;
    return { id, tenantId, userId, period, ...end, durationMs: 1, keepClaim: false, ...members };
  }

  async function limit(limits: { requests?: number; tokens?: number }): Promise<void> {
    await query(
      'INSERT INTO tenant_quotas (tenant_id, enforcing, requests, tokens, updated_at) VALUES ($1, true, $2, $3, now())',
      [tenantId, limits.requests ?? null, limits.tokens ?? null],
    );
  }

  /** Open calls, reserved tokens, settled calls, settled tokens. */
  async function counters(subject = tenantId): Promise<number[]> {
    const [row] = await query(
      `SELECT open_calls::int, reserved_tokens::int, settled_calls::int, settled_tokens::int
       FROM quota_counters WHERE subject = $1`,
      [subject],
    );
    return row ? Object.values(row) : [];
  }
});
