import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/platform.js';
import type { Platform, RestAnswer } from '../support/platform.js';
import { completion, htmlPage, startScriptedBackend } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

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

  const chat = (): Promise<RestAnswer> => platform.request('POST', '/v1/chat/completions', { token, body: BODY });
  const sql = <T>(text: string): Promise<T[]> => platform.app.database.dataSource.query(text);

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

  it('loses none of many calls at once', async () => {
    const before = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');

    const answers = await Promise.all(Array.from({ length: 300 }, () => chat()));
    const after = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');

    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    expect(Number(after[0]?.n) - Number(before[0]?.n)).toBe(300);
  });

  it('answers 503 where a call cannot be recorded in time, and records later what a model server saw, once', async () => {
    const before = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');
    const seenBefore = backend.requests.length;
    await sql('ALTER TABLE calls RENAME TO calls_away');

    const answers = [await chat(), await chat(), await chat()];
    await sql('ALTER TABLE calls_away RENAME TO calls');
    const seen = backend.requests.length - seenBefore;
    const recorded = (await untilCount(Number(before[0]?.n) + seen)) - Number(before[0]?.n);
    const afterwards = await chat();

    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([503, 'unavailable']));
    // Once writing has failed for long enough, no further call is made.
    expect(seen).toBeLessThan(3);
    expect(recorded).toBe(seen);
    expect(afterwards.status).toBe(200);
  });

  async function untilCount(expected: number): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const [row] = await sql<{ n: string }>('SELECT count(*) AS n FROM calls');
      if (Number(row?.n) >= expected || tries === 100) return Number(row?.n);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
