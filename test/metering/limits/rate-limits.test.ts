import { describe, expect, it } from '@jest/globals';
import { userMessage } from '../../support/builders/chat-request.js';
import { setQuota } from '../../support/builders/quota.js';
import { addSignedInUser, addTenant, defaultTenantId } from '../../support/builders/accounts.js';
import { Reply } from '../../../src/admission/reply.js';
import type { Caller } from '../../../src/access/caller.js';
import { RateLimitsService } from '../../../src/metering/limits/rate-limits.service.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { chunk, DONE, json, stream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const PLANS = { free: { requests_per_minute: 3, tokens_per_minute: 0, streams: 2 }, team: { tokens_per_minute: 25 } };

describe('the limits of a minute', () => {
  const gateway = useGateway({ env: { RATE_LIMIT_PLANS: JSON.stringify(PLANS) } });

  it('hold for a tenant as a whole, by its plan', async () => {
    const [one, other] = (await usersOfTenant('free', 2)) as [string, string];
    const [elsewhere] = (await usersOfTenant('enterprise', 1)) as [string];

    const answers = [await chat(one), await chat(other), await chat(one), await chat(other), await chat(elsewhere)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200]);
    expect(answers.map(remaining)).toEqual(['2', '1', '0', '0', '599']);
  });

  it('count the tokens that calls have used, and let the next ones wait', async () => {
    const [token] = (await usersOfTenant('team', 1)) as [string];

    // Each call of the scripted backend uses 10 tokens, of which 4 are known before.
    const answers = [await chat(token), await chat(token), await chat(token), await chat(token)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[3]?.body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/tokens/),
    });
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answers[3]?.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  });

  it('give the tokens back of a call that the quota refuses', async () => {
    const tenantId = await addTenantOf('team');
    const { token } = await addSignedInUser(gateway.platform, tenantId);
    await setQuota(gateway, { enforcing: true, requests: 0 }, tenantId);
    const refused = [];
    for (let tries = 0; tries < 8; tries += 1) refused.push(await chat(token));
    await setQuota(gateway, { enforcing: false }, tenantId);

    const admitted = await chat(token);

    expect(new Set(refused.map(({ body }) => body.error.reason))).toEqual(new Set(['quota_exceeded']));
    expect(admitted.status).toBe(200);
  });

  it('give the tokens back of a call that used none', async () => {
    const [token] = (await usersOfTenant('team', 1)) as [string];
    const body = { messages: [userMessage('All work and no play makes Jack a dull boy.')] };
    const refusals = Array.from({ length: 4 }, () => json(400, { error: { message: 'No.' } }));
    gateway.backend.answer(...refusals);

    const failed = [];
    for (const _refusal of refusals) failed.push(await chat(token, body));
    const answered = await chat(token, body);

    expect([...failed, answered].map(({ status }) => status)).toEqual([400, 400, 400, 400, 200]);
  });

  it('give a request back once', async () => {
    const userLimits = { rateLimitRequestsPerMinute: 3, rateLimitTokensPerMinute: 0, rateLimitStreams: 0 };
    const parts = {
      config: { ...userLimits, rateLimitPlans: {} },
      sharing: { processes: () => 1 },
      processId: 'p',
      tenants: { planOf: async () => undefined },
    };
    const limits = new RateLimitsService(parts);
    const caller = { userId: 'usr_1', tenantId: 'ten_1' } as unknown as Caller;
    const reply = new Reply();
    const remaining = () => reply.headers['x-ratelimit-remaining-requests'];
    const first = await limits.countRequest(caller, reply);
    await limits.countRequest(caller, reply);

    for (let times = 0; times < 3; times += 1) await first?.();
    await limits.countRequest(caller, reply);

    expect(remaining()).toBe('1');
  });

  it('are not used up by streams that a quota refuses, nor are their places and their keys', async () => {
    const [token] = (await usersOfTenant('free', 1)) as [string];
    const tenantId = (await gateway.platform.graphql('{ me { tenant { id } } }', {}, token)).body.data.me.tenant.id;
    const headers = { 'idempotency-key': 'a key of many letters' };
    const ask = () => gateway.chat({ stream: true }, { token, headers });
    await setQuota(gateway, { enforcing: true, tokens: 10 }, tenantId);

    const refused = [];
    for (let tries = 0; tries < 5; tries += 1) refused.push(await ask());
    await setQuota(gateway, { enforcing: false }, tenantId);
    gateway.backend.answer(stream(chunk({}, 'stop'), DONE));
    const admitted = await ask();

    expect(new Set(refused.map(({ body }) => body.error.reason))).toEqual(new Set(['quota_exceeded']));
    expect([admitted.status, remaining(admitted)]).toEqual([200, '2']);
  });

  it('hold for streams that are open at once, and let the next one in when one ends', async () => {
    const [token] = (await usersOfTenant('free', 1)) as [string];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    gateway.backend.answer(
      ...gates.map(({ promise }) => stream(chunk({ content: 'Hel' }), promise, chunk({}, 'stop'), DONE)),
    );
    const body = { stream: true };
    const received = gateway.backend.nextRequest();
    const first = chat(token, body);
    await received;
    const alsoReceived = gateway.backend.nextRequest();
    const second = chat(token, body);
    await alsoReceived;

    const refused = await chat(token, body);
    gates[0].resolve();
    await first;
    gateway.backend.answer(stream(chunk({}, 'stop'), DONE));
    const admitted = await chat(token, body);
    gates[1].resolve();
    await second;

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(admitted.status).toBe(200);
    expect(refused.body.error.message).toMatch(/2 streams/);
  });

  it('are not used up by what a quota refuses', async () => {
    await setPlan(await defaultTenantId(gateway.platform), 'enterprise');
    const before = Number(remaining(await gateway.chat()));
    await setQuota(gateway, { enforcing: true, user_requests: 1 });

    const refused = await gateway.chat();
    await setQuota(gateway, { enforcing: false });
    const after = Number(remaining(await gateway.chat()));

    expect([refused.status, refused.body.error.reason, refused.headers.get('x-should-retry')]).toEqual([
      429,
      'quota_exceeded',
      'false',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
    expect(after).toBe(before - 1);
  });

  /** Tokens of new users of a new tenant. */
  async function usersOfTenant(plan: string, count: number): Promise<string[]> {
    const tenantId = await addTenantOf(plan);
    const users = Array.from({ length: count }, () => addSignedInUser(gateway.platform, tenantId));
    return (await Promise.all(users)).map(({ token }) => token);
  }

  async function addTenantOf(plan: string): Promise<string> {
    const tenantId = await addTenant(gateway.platform);
    await setPlan(tenantId, plan);
    return tenantId;
  }

  function setPlan(tenantId: string, plan: string): Promise<RestAnswer> {
    return gateway.request('PATCH', `/v1/admin/tenants/${tenantId}`, { body: { plan } });
  }

  function chat(token: string, members: object = {}): Promise<RestAnswer> {
    return gateway.chat(members, { token });
  }

  function remaining({ headers }: RestAnswer) {
    return headers.get('x-ratelimit-remaining-requests');
  }
});
