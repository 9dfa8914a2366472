import { describe, expect, it } from '@jest/globals';
import { countCalls } from '../../support/probes/ledger-rows.js';
import type { Logger } from 'pino';
import type { Caller } from '../../../src/access/caller.js';
import type { Ledger } from '../../../src/metering/ledger/ledger.js';
import type { CallStart } from '../../../src/metering/metering.types.js';
import { StartedCall } from '../../../src/metering/ledger/metering.service.js';
import { breakLedger } from '../../support/servers/broken-ledger.js';
import { completion, heldUntil, htmlPage } from '../../support/servers/scripted-backend.js';
import { eventually } from '../../support/probes/eventually.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('metering', () => {
  const gateway = useGateway();

  it('records every call once, with whose it was, what it used and how it ended', async () => {
    const [{ id: userId, tenant }] = [(await gateway.graphql('{ me { id tenant { id } } }')).body.data.me];
    gateway.backend.answer(completion('Hello.'), htmlPage(502));

    await gateway.chat({}, { headers: { 'x-request-id': 'first' } });
    await gateway.chat();
    const rows = await gateway.platform.query<Record<string, unknown>>('SELECT * FROM calls ORDER BY created_at');

    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      user_id: userId,
      tenant_id: tenant.id,
      request_id: 'first',
      area: 'chat',
      model: 'scripted',
      backend: 'openai',
      state: 'exact',
      outcome: 'completed',
      prompt_tokens: 7,
      completion_tokens: 3,
    });
    expect(rows[1]).toMatchObject({ outcome: 'failed', state: 'estimated', completion_tokens: 0 });
    expect(JSON.stringify(rows)).not.toContain('Say hello');
  });

  it('stays up where the limit of the minute cannot be told of a call', async () => {
    const warnings: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void warnings.push(line) } as unknown as Logger;
    const ledger = { settle: async () => undefined } as unknown as Ledger;
    const limits = { addTokens: () => Promise.reject(new Error('gone')) };
    const start = {
      requestId: 'r',
      area: 'chat',
      model: 'm',
      backend: 'b',
      prompt: { textBytes: 1, bytes: 1, tokens: 0, messages: 0, mediaParts: 0, contextTokens: 0 },
      longestAnswer: 1,
      answers: 1,
    };
    const call = new StartedCall('call_1', {} as Caller, start as CallStart, {
      ledger,
      limits,
      tokensPerMediaPart: 1,
      settled: () => undefined,
      log,
    });

    await call.finish({ promptTokens: 5, completionTokens: 5, precision: 'exact' }, 'completed');
    await new Promise((resolve) => setImmediate(resolve));

    expect(warnings).toHaveLength(1);
  });

  it('loses none of many calls at once', async () => {
    const before = await countCalls(gateway.platform);

    const answers = await Promise.all(Array.from({ length: 300 }, () => gateway.chat()));
    const after = await countCalls(gateway.platform);

    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    expect(after - before).toBe(300);
  });

  it('refuses calls while none can be recorded, before a model server sees them', async () => {
    const before = await countCalls(gateway.platform);
    const seenBefore = gateway.backend.requests.length;
    const ledger = await breakLedger(gateway.platform);

    const answers = await Promise.all([gateway.chat(), gateway.chat()]);
    await ledger.mend();
    const settled = await untilSettled(before + 2, 2);
    const afterwards = await gateway.chat();

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(2).fill([503, 'unavailable']));
    expect(afterwards.status).toBe(200);
    expect(gateway.backend.requests.length - seenBefore).toBe(1);
    // What came into the ledger too late has not been made, and says so.
    expect(settled).toEqual({ failed: 2, tokens: 0 });
  });

  it('answers 503 where the end of a call cannot be recorded in time, and records it later, once', async () => {
    const before = await countCalls(gateway.platform);
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(heldUntil(gate.promise, completion('Hello.')));
    const received = gateway.backend.nextRequest();
    const answer = gateway.chat();
    await received;
    const ledger = await breakLedger(gateway.platform);

    gate.resolve();
    const { status, body } = await answer;
    await ledger.mend();

    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(await untilSettled(before + 1, 1)).toEqual({ failed: 0, tokens: 10 });
  });

  it.each([false, true])('charges nothing where the client left before a model server was asked', async (stream) => {
    const seenBefore = gateway.backend.requests.length;
    const requestId = `left-${stream}`;
    const ledger = await breakLedger(gateway.platform);
    const leaving = new AbortController();

    const answer = gateway
      .chat({ stream }, { headers: { 'x-request-id': requestId }, signal: leaving.signal })
      .catch(() => undefined);
    await untilLogged('the ledger waits for the database');
    leaving.abort();
    await answer;
    await untilLogged(requestId);
    await ledger.mend();

    const one = `SELECT state, outcome, prompt_tokens + completion_tokens AS tokens FROM calls WHERE request_id = $1`;
    const rows = await eventually('the call is over', 20, async () => {
      const all = await gateway.platform.query<{ outcome: string | null }>(one, [requestId]);
      return all[0]?.outcome ? all : undefined;
    });
    expect(rows).toEqual([{ state: 'exact', outcome: 'cancelled', tokens: 0 }]);
    expect(gateway.backend.requests.length).toBe(seenBefore);
  });

  /** Waits for a line that is logged from now on. */
  async function untilLogged(text: string): Promise<void> {
    const from = gateway.platform.logLines.length;
    await eventually(`${text} is logged`, 20, () =>
      gateway.platform.logLines.slice(from).some((line) => line.includes(text)),
    );
  }

  /** What the calls after the first ones have come to, once they are there and settled. */
  async function untilSettled(calls: number, last: number): Promise<{ failed: number; tokens: number }> {
    const rows = await eventually('the calls are settled', 20, async () => {
      const all = await gateway.platform.query<{ state: string; outcome: string; tokens: number }>(
        `SELECT state, outcome, prompt_tokens + completion_tokens AS tokens FROM calls ORDER BY id`,
      );
      return all.length >= calls && all.every(({ state }) => state !== 'open') && all;
    });
    expect(rows).toHaveLength(calls);
    const latest = rows.slice(-last);
    return {
      failed: latest.filter(({ outcome }) => outcome === 'failed').length,
      tokens: latest.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }
});
