import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Platform, RestAnswer } from '../../support/servers/platform.js';
import { addUser, defaultTenantId, PASSWORD } from '../../support/builders/accounts.js';
import { onPostgres } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('guessing passwords', () => {
  const platform = usePlatform({ TRUST_PROXY: '127.0.0.1/32' });
  let tenantId: string;

  beforeAll(async () => {
    tenantId = await defaultTenantId(platform);
  });

  it('is refused after ten failures, the right password included, from every address', async () => {
    const { email } = await addUser(platform, tenantId);
    const guesses = await guess(email, 12, '192.0.2.1');

    const { status, body, headers } = await login(email, PASSWORD, '192.0.2.2');

    expect(guesses.map((answer) => answer.status).sort()).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(status).toBe(429);
    expect(body.error).toMatchObject({ type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    expect(headers.get('x-ratelimit-limit-requests')).toBe('10');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(headers.get('x-ratelimit-reset-requests')).toBe(headers.get('retry-after'));
  });

  it('is refused for unknown accounts in the same way', async () => {
    const { email } = await addUser(platform, tenantId);
    const known = await guess(email, 11, '192.0.2.3');
    const unknown = await guess('nobody@example.test', 11, '192.0.2.4');

    const told = (answers: RestAnswer[]) => answers.map(({ status, body }) => `${status} ${body.error.message}`).sort();
    expect(told(unknown)).toEqual(told(known));
  });

  it('is refused for an address after thirty failures, whatever the accounts', async () => {
    const { email } = await addUser(platform, tenantId);
    for (const account of ['a', 'b', 'c']) await guess(`${account}@example.test`, 10, '192.0.2.5');

    const [there, elsewhere] = [await login(email, PASSWORD, '192.0.2.5'), await login(email, PASSWORD, '192.0.2.6')];

    expect([there.status, there.headers.get('x-ratelimit-limit-requests')]).toEqual([429, '30']);
    expect(elsewhere.status).toBe(200);
  });

  it('does not hinder those who know the password, however many at once', async () => {
    const { email } = await addUser(platform, tenantId);

    const answers = await Promise.all(Array.from({ length: 15 }, () => login(email, PASSWORD, '192.0.2.7')));

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  });

  it('is refused after a restart, and stored with nobody’s address', async () => {
    const { email } = await addUser(platform, tenantId);
    await guess(email, 10, '192.0.2.9');

    await platform.restart();
    const answer = await login(email, PASSWORD, '192.0.2.10');

    const counters = JSON.stringify(await platform.query('SELECT * FROM attempt_counters'));
    expect(answer.status).toBe(429);
    expect([email, '192.0.2.9'].filter((trace) => counters.includes(trace))).toEqual([]);
  });

  onPostgres.it('is counted over all processes', async () => {
    const { email } = await addUser(platform, tenantId);
    const replica = await platform.startReplica();
    const body = { email, password: 'wrong, wrong, wrong' };
    for (const server of [...Array(5).fill(platform), ...Array(5).fill(replica)] as Platform[]) {
      await server.request('POST', '/v1/auth/login', { body, headers: { 'x-forwarded-for': '192.0.2.11' } });
    }

    const answer = await login(email, PASSWORD, '192.0.2.12');

    await replica.close();
    expect(answer.status).toBe(429);
  });

  it('counts together at all transports', async () => {
    const { email } = await addUser(platform, tenantId);
    await guess(email, 10, '192.0.2.8');
    const query = `mutation { login(email: "${email}", password: "${PASSWORD}") { tokenType } }`;

    const { body } = await post('/graphql', '192.0.2.9', { query });

    expect(body.errors[0].extensions).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
  });

  function post(path: string, address: string, body: object) {
    return platform.request('POST', path, {
      body,
      headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
    });
  }

  function login(email: string, password: string, address: string) {
    return post('/v1/auth/login', address, { email, password });
  }

  function guess(email: string, times: number, address: string): Promise<RestAnswer[]> {
    return Promise.all(Array.from({ length: times }, () => login(email, 'wrong', address)));
  }
});
