import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { Caller } from '../../../src/access/caller.js';
import type { Ledger } from '../../../src/metering/ledger/ledger.js';
import type { CallStart } from '../../../src/metering/metering.types.js';
import { StartedCall } from '../../../src/metering/ledger/started-call.js';
import { startPlatform } from '../../support/platform.js';
import { breakLedger } from '../../support/broken-ledger.js';
import type { Platform, RestAnswer } from '../../support/platform.js';
import { completion, htmlPage, startScriptedBackend } from '../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../support/scripted-backend.js';

const BODY = { model: 'scripted', messages: [{ role: 'user', content: 'Say hello.' }] };

describe('metering', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('records every call once, with whose it was, what it used and how it ended', async () => {
    const [{ id: userId, tenant }] = [(await platform.graphql('{ me { id tenant { id } } }', {}, token)).body.data.me];
    backend.answer(completion('Hello.'), htmlPage(502));

    await platform.request('POST', '/v1/chat/completions', { token, body: BODY, headers: { 'x-request-id': 'first' } });
    await chat();
    const rows = await sql<Record<string, unknown>>('SELECT * FROM calls ORDER BY created_at');

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
    const before = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');

    const answers = await Promise.all(Array.from({ length: 300 }, () => chat()));
    const after = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');

    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    expect(Number(after[0]?.n) - Number(before[0]?.n)).toBe(300);
  });

  it('refuses calls while none can be recorded, before a model server sees them', async () => {
    const before = await countCalls();
    const seenBefore = backend.requests.length;
    const ledger = await breakLedger(platform);

    const answers = await Promise.all([chat(), chat()]);
    await ledger.mend();
    const settled = await untilSettled(before + 2, 2);
    const afterwards = await chat();

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(2).fill([503, 'unavailable']));
    expect(afterwards.status).toBe(200);
    expect(backend.requests.length - seenBefore).toBe(1);
    // What came into the ledger too late has not been made, and says so.
    expect(settled).toEqual({ failed: 2, tokens: 0 });
  });

  it('answers 503 where the end of a call cannot be recorded in time, and records it later, once', async () => {
    const before = await countCalls();
    const held = Promise.withResolvers<void>();
    const script = completion('Hello.');
    backend.answer({ ...script, pieces: [held.promise, ...(script.pieces as string[])] });
    const received = backend.nextRequest();
    const answer = chat();
    await received;
    const ledger = await breakLedger(platform);

    held.resolve();
    const { status, body } = await answer;
    await ledger.mend();

    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(await untilSettled(before + 1, 1)).toEqual({ failed: 0, tokens: 10 });
  });

  it.each([false, true])('charges nothing where the client left before a model server was asked', async (stream) => {
    const seenBefore = backend.requests.length;
    const requestId = `left-${stream}`;
    const ledger = await breakLedger(platform);
    const leaving = new AbortController();

    const answer = fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify({ ...BODY, stream }),
      signal: leaving.signal,
    }).catch(() => undefined);
    await untilLogged('the ledger waits for the database');
    leaving.abort();
    await answer;
    await untilLogged(requestId);
    await ledger.mend();

    const one = `SELECT state, outcome, prompt_tokens + completion_tokens AS tokens FROM calls WHERE request_id = $1`;
    let rows: Record<string, unknown>[] = [];
    while (rows[0]?.outcome === undefined || rows[0].outcome === null)
      rows = await platform.app.database.dataSource.query(one, [requestId]);
    expect(rows).toEqual([{ state: 'exact', outcome: 'cancelled', tokens: 0 }]);
    expect(backend.requests.length).toBe(seenBefore);
  });

  /** Waits for a line that is logged from now on. */
  async function untilLogged(text: string): Promise<void> {
    for (let from = platform.logLines.length; ; ) {
      const lines = platform.logLines.slice(from);
      if (lines.some((line) => line.includes(text))) return;
      from += lines.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function countCalls(): Promise<number> {
    const [row] = await sql<{ calls: string }>('SELECT count(*) AS calls FROM calls');
    return Number(row?.calls);
  }

  /** What the calls after the first ones have come to, once they are there and settled. */
  async function untilSettled(calls: number, last: number): Promise<{ failed: number; tokens: number }> {
    for (let tries = 0; tries < 200; tries += 1) {
      const rows = await sql<{ state: string; outcome: string; tokens: number }>(
        `SELECT state, outcome, prompt_tokens + completion_tokens AS tokens FROM calls ORDER BY id`,
      );
      if (rows.length >= calls && rows.every(({ state }) => state !== 'open')) {
        const latest = rows.slice(-last);
        expect(rows).toHaveLength(calls);
        return {
          failed: latest.filter(({ outcome }) => outcome === 'failed').length,
          tokens: latest.reduce((sum, { tokens }) => sum + tokens, 0),
        };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The calls are not settled.');
  }

  function chat(): Promise<RestAnswer> {
    return platform.request('POST', '/v1/chat/completions', { token, body: BODY });
  }

  function sql<T>(text: string): Promise<T[]> {
    return platform.app.database.dataSource.query(text);
  }
});
