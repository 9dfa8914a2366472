import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/platform.js';
import type { Platform, RestAnswer } from '../support/platform.js';

describe('guessing passwords', () => {
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform();
  });
  afterEach(() => platform.close());

  const login = (email: string, password: string) =>
    platform.request('POST', '/v1/auth/login', { body: { email, password } });

  function guess(email: string, times: number): Promise<RestAnswer[]> {
    return Promise.all(Array.from({ length: times }, () => login(email, 'a wrong password')));
  }

  it('is refused after ten failures, the right password included', async () => {
    const guesses = await guess(platform.admin.email, 12);

    const { status, body, headers } = await login(platform.admin.email, platform.admin.password);

    expect(guesses.map((answer) => answer.status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    expect(status).toBe(429);
    expect(body.error).toMatchObject({ type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(890);
    expect(headers.get('x-ratelimit-limit-requests')).toBe('10');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(headers.get('x-ratelimit-reset-requests')).toBe(headers.get('retry-after'));
  });

  it('is refused for unknown accounts in the same way', async () => {
    const known = await guess(platform.admin.email, 11);
    const unknown = await guess('nobody@example.test', 11);

    const told = (answers: RestAnswer[]) => answers.map(({ status, body }) => `${status} ${body.error.message}`).sort();
    expect(told(unknown)).toEqual(told(known));
  });

  it('is refused for an address after thirty failures', async () => {
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => login(`${index}@example.test`, 'wrong')));

    const { status, headers } = await login(platform.admin.email, platform.admin.password);

    expect(new Set(guesses.map((answer) => answer.status))).toEqual(new Set([401]));
    expect([status, headers.get('x-ratelimit-limit-requests')]).toEqual([429, '30']);
  });

  it('does not count those who sign in', async () => {
    const answers = await Promise.all(
      Array.from({ length: 35 }, () => login(platform.admin.email, platform.admin.password)),
    );

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  });

  it('counts one limit for all doors', async () => {
    await guess(platform.admin.email, 10);
    const query = 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType } }';

    const { body } = await platform.graphql(query, { ...platform.admin });

    expect(body.errors[0].extensions).toMatchObject({ type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', status: 429 });
  });
});
