import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a large body of a caller', () => {
  const platform = usePlatform();
  let admin: Client;

  beforeAll(async () => {
    admin = platform.as((await platform.login()).access_token);
  });

  it.each([
    ['members', `{${Array.from({ length: 210_000 }, (_, index) => `"${index}":1`).join(',')}}`],
    ['lists', `{"messages":[${'[],'.repeat(210_000)}[]]}`],
    ['objects', `{"messages":[${'{},'.repeat(210_000)}{}]}`],
  ])('is refused where it has too many %s, which would keep others waiting', async (_what, body) => {
    const answer = await admin.post('/v1/chat/completions', body);

    expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request']);
    expect(answer.body.error.message).toContain('200000');
  });

  it.each([
    ['numbers', '1'],
    ['texts', '""'],
  ])('is refused where its lists have too many %s', async (_what, item) => {
    const body = `{"model":"nothing","input":[${`${item},`.repeat(1_000_001)}${item}]}`;

    const answer = await admin.post('/v1/embeddings', body);

    expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request']);
    expect(answer.body.error.message).toContain('1000000');
  });

  it('may have as many tokens as embeddings take, and long texts', async () => {
    const tokens = Array.from({ length: 300_000 }, () => 1);
    const text = '{[:"\\'.repeat(100_000);

    const numbers = await admin.post('/v1/embeddings', { model: 'nothing', input: tokens });
    const words = await admin.post('/v1/embeddings', { model: 'nothing', input: text });

    expect([numbers.body.error.code, words.body.error.code]).toEqual(['model_not_found', 'model_not_found']);
  });
});
