import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { monthOf } from '../../../src/metering/month.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';
import { startScriptedBackend } from '../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../support/scripted-backend.js';
import { addUser, defaultTenantId, signIn } from '../../support/accounts.js';

const BODY = { model: 'scripted', messages: [{ role: 'user', content: 'Say hello.' }] };

describe('the quota', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    // Each call of the scripted backend uses 10 tokens.
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    token = (await platform.login()).access_token;
    const body = { enforcing: false, user_tokens: 25 };
    await platform.request('PUT', `/v1/admin/tenants/${await defaultTenantId(platform)}/quota`, { token, body });
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('tells what the caller has used of the month, with a warning from 80 and an end at 100 percent', async () => {
    const quotas = [];

    for (let calls = 0; calls <= 3; calls += 1) {
      if (calls > 0) await platform.request('POST', '/v1/chat/completions', { token, body: BODY });
      quotas.push((await platform.request('GET', '/v1/quota', { token })).body);
    }

    expect(quotas.map((quota) => [quota.usage.tokens, quota.percentUsed, quota.warning, quota.exceeded])).toEqual([
      [0, 0, false, false],
      [10, 40, false, false],
      [20, 80, true, false],
      [30, 120, true, true],
    ]);
    expect(quotas[3]).toMatchObject({ enforcing: false, limits: { tokens: 25, requests: null, storage_bytes: null } });
    expect(quotas[3].usage).toMatchObject({ requests: 3, storage_bytes: 0, audio_seconds: 0 });
  });

  it('is each user’s own, and shown to administrators', async () => {
    const user = await addUser(platform, await defaultTenantId(platform));
    const { access_token } = await signIn(platform, user.email);

    const own = await platform.request('GET', '/v1/quota', { token: access_token });
    const users = '{ me { tenant { users(order: asc) { edges { node { email quota { usage { requests } } } } } } } }';
    const seen = await platform.graphql(users, {}, token);
    const ofOther =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { quota { percentUsed } } } }';
    const admin = { __typename: 'User', id: (await platform.graphql('{ me { id } }', {}, token)).body.data.me.id };
    const refused = await platform.graphql(ofOther, { of: [admin] }, access_token);

    expect(own.body.usage.requests).toBe(0);
    expect(seen.body.data.me.tenant.users.edges.map((edge: { node: object }) => edge.node)).toEqual([
      { email: platform.admin.email, quota: { usage: { requests: 3 } } },
      { email: user.email, quota: { usage: { requests: 0 } } },
    ]);
    expect(refused.body.data?._entities?.[0]?.quota).toBeUndefined();
  });

  it('counts calendar months in UTC', () => {
    expect(monthOf(new Date('2026-12-31T23:59:59.999Z'))).toEqual({
      periodStart: new Date('2026-12-01T00:00:00.000Z'),
      periodEnd: new Date('2027-01-01T00:00:00.000Z'),
    });
  });
});
