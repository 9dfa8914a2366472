import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setQuota } from '../../support/builders/quota.js';
import { monthOf } from '../../../src/platform/month.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { addSignedInUser } from '../../support/builders/accounts.js';

describe('the quota', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    // Each call of the scripted backend uses 10 tokens.
    gateway = await startGateway();
    await setQuota(gateway, { enforcing: false, user_tokens: 25 });
  });
  afterAll(() => gateway.close());

  it('tells what the caller has used of the month, with a warning from 80 and an end at 100 percent', async () => {
    const quotas = [];

    for (let calls = 0; calls <= 3; calls += 1) {
      if (calls > 0) await gateway.chat();
      quotas.push((await gateway.get('/v1/quota')).body);
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
    const user = await addSignedInUser(gateway.platform);

    const own = await gateway.get('/v1/quota', { token: user.token });
    const users = '{ me { tenant { users(order: asc) { edges { node { email quota { usage { requests } } } } } } } }';
    const seen = await gateway.graphql(users);
    const ofOther =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { quota { percentUsed } } } }';
    const admin = { __typename: 'User', id: (await gateway.graphql('{ me { id } }')).body.data.me.id };
    const refused = await gateway.platform.graphql(ofOther, { of: [admin] }, user.token);

    expect(own.body.usage.requests).toBe(0);
    expect(seen.body.data.me.tenant.users.edges.map((edge: { node: object }) => edge.node)).toEqual([
      { email: gateway.platform.admin.email, quota: { usage: { requests: 3 } } },
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
