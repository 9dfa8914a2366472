import { describe, expect, it } from '@jest/globals';
import { addTenant, addUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { pieces, request } from '../../support/probes/stored-blobs.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const service = newServiceKey();

describe('the files of somebody who is deleted', () => {
  const platform = usePlatform(service.env);

  it('are gone with the account, and nothing tells that they were there', async () => {
    const { blobs, database } = platform.app;
    const tenantId = await addTenant(platform);
    const [user, colleague] = [await addUser(platform, tenantId), await addUser(platform, tenantId)];
    const keys: string[] = [];
    for (const { id: userId } of [user, user, colleague]) {
      const written = await blobs.write({ tenantId, userId }, request(), pieces(Buffer.from('text')));
      keys.push(written.key);
    }
    await database.dataSource.transaction((tx) => blobs.keep(tx, keys));

    await platform.request('DELETE', `/v1/auth/users/${user.id}`, { token: service.key });
    await eventually('the account is erased', 20, async () => {
      return (await platform.query('SELECT FROM users WHERE id = $1', [user.id])).length === 0;
    });
    const usage = 'SELECT subject, bytes::integer AS bytes FROM storage_usage ORDER BY subject';

    expect(await Promise.all(keys.map((key) => blobs.stat(key)))).toEqual([undefined, undefined, expect.anything()]);
    expect(await platform.query(usage)).toEqual([
      { subject: tenantId, bytes: 4 },
      { subject: colleague.id, bytes: 4 },
    ]);
    await eventually('the bytes are gone', 10, async () => (await platform.query('SELECT FROM blobs')).length === 1);
  });
});
