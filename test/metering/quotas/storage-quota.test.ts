import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Blobs } from '../../../src/platform/blobs/blobs.js';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { setQuota } from '../../support/builders/quota.js';
import { pieces, request } from '../../support/probes/stored-blobs.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('the quota of storage', () => {
  const gateway = useGateway();
  let blobs: Blobs;

  beforeAll(async () => {
    blobs = gateway.platform.app.blobs;
  });

  it('is part of what a tenant may use: set, read and taken away over REST and GraphQL', async () => {
    const tenantId = await addTenant(gateway.platform);
    const path = `/v1/admin/tenants/${tenantId}/quota`;

    const before = (await gateway.get(path)).body;
    const set = (await setQuota(gateway, { enforcing: true, storage_bytes: 1e12, user_storage_bytes: 0 }, tenantId))
      .body;
    const read = (await gateway.get(path)).body;
    const query = 'query ($id: ID!) { tenantQuota(tenantId: $id) { storageBytes userStorageBytes } }';
    const asked = await gateway.graphql(query, { id: tenantId });
    const after = (await setQuota(gateway, { enforcing: true, storage_bytes: null }, tenantId)).body;

    expect(before).toMatchObject({ storage_bytes: null, user_storage_bytes: null });
    expect(set).toMatchObject({ storage_bytes: 1e12, user_storage_bytes: 0, tokens: null });
    expect(read).toEqual(set);
    expect(asked.body.data.tenantQuota).toEqual({ storageBytes: 1e12, userStorageBytes: 0 });
    expect(after).toMatchObject({ storage_bytes: null, user_storage_bytes: null });
  });

  it.each([-1, 0.5, '10', 2 ** 60])('is a whole number from 0, and not %j', async (storage_bytes) => {
    const { status, body } = await setQuota(gateway, { enforcing: true, storage_bytes });

    expect([status, body.error.param]).toEqual([400, 'storage_bytes']);
  });

  it('tells what is stored now, of a user and in the share of its tenant', async () => {
    const tenantId = await addTenant(gateway.platform);
    const [user, colleague] = [await addUser(tenantId), await addUser(tenantId)];
    await setQuota(gateway, { enforcing: false, storage_bytes: 1_000, user_storage_bytes: 200 }, tenantId);

    const key = await store(user, 100);
    const half = await quotaOf(user);
    await store(colleague, 850);
    const [full, over] = [await quotaOf(user), await quotaOf(colleague)];
    await gateway.platform.app.database.dataSource.transaction((tx) => blobs.release(tx, [key]));
    const released = await quotaOf(user);

    expect(
      [half, full, over, released].map(({ usage, percentUsed, warning, exceeded }) => [
        usage.storage_bytes,
        percentUsed,
        warning,
        exceeded,
      ]),
    ).toEqual([
      [100, 50, false, false],
      [100, 95, true, false],
      [850, 425, true, true],
      [0, 85, true, false],
    ]);
    expect(half.limits.storage_bytes).toBe(200);
  });

  it('refuses only where it is enforced', async () => {
    const tenantId = await addTenant(gateway.platform);
    const user = await addUser(tenantId);
    const limitsOf = () => gateway.platform.app.ports.storageLimits({ tenantId, userId: user.id });
    const none = { tenantBytes: null, userBytes: null };

    const unset = await limitsOf();
    await setQuota(gateway, { enforcing: false, storage_bytes: 50 }, tenantId);
    const reported = await limitsOf();
    await store(user, 60);
    await setQuota(gateway, { enforcing: true, storage_bytes: 100, user_storage_bytes: 90 }, tenantId);

    expect([unset, reported, await limitsOf()]).toEqual([none, none, { tenantBytes: 100, userBytes: 90 }]);
    await expect(store(user, 31)).rejects.toMatchObject({ status: 409, details: { reason: 'storage_exceeded' } });
    await store(user, 30);
    expect((await quotaOf(user)).usage.storage_bytes).toBe(90);
  });

  function addUser(tenantId: string): Promise<SignedInUser> {
    return addSignedInUser(gateway.platform, tenantId);
  }

  async function quotaOf({ token }: SignedInUser) {
    return (await gateway.get('/v1/quota', { token })).body;
  }

  /** Stores a file as a domain does. */
  async function store({ id: userId, tenantId }: SignedInUser, bytes: number): Promise<string> {
    const owner = { tenantId, userId };
    const limits = await gateway.platform.app.ports.storageLimits(owner);
    const { key } = await blobs.write(owner, request({ limits }), pieces(Buffer.alloc(bytes)));
    await gateway.platform.app.database.dataSource.transaction((tx) => blobs.keep(tx, [key]));
    return key;
  }
});
