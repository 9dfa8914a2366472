import { describe, expect, it } from '@jest/globals';
import { addApiToken, addStaffedTenant } from '../../support/builders/accounts.js';
import {
  addFindings,
  addResearchSession,
  queries,
  SESSIONS,
  tell,
  untilResearchErased,
} from '../../support/builders/research.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const service = newServiceKey();

describe('what is left of research sessions', () => {
  const platform = usePlatform(service.env);

  it.each(['deleted', 'deleted by a token that may', 'of a deleted user', 'of a deleted tenant'])(
    'is nothing: %s',
    async (way) => {
      const { user, id: tenantId } = await addStaffedTenant(platform);
      const id = await addResearchSession(platform, user);
      const keys = await addFindings(platform, user, id, 3);
      await tell(platform, id, queries(1, 450));
      const stream = await platform.send('GET', `${SESSIONS}/${id}/events`, { token: user.token });

      if (way === 'of a deleted user') {
        const { status } = await platform.as(service.key).delete(`/v1/auth/users/${user.id}`);
        expect(status).toBe(204);
      } else if (way === 'of a deleted tenant') {
        const { access_token: token } = await platform.login();
        expect((await platform.as(token).delete(`/v1/admin/tenants/${tenantId}`)).status).toBe(204);
      } else {
        const token = way === 'deleted' ? user.token : (await addApiToken(platform, user.token)).token;
        expect((await platform.as(token).delete(`${SESSIONS}/${id}`)).status).toBe(204);
        expect((await platform.as(token).get(`${SESSIONS}/${id}`)).status).toBe(404);
        expect((await platform.as(token).delete(`${SESSIONS}/${id}`)).status).toBe(404);
      }

      await untilResearchErased(platform, id, keys);
      expect(await stream.text()).toContain('event: error\n');
    },
  );

  it('is nothing where there are more sources than are deleted at once', async () => {
    const { user } = await addStaffedTenant(platform);
    const id = await addResearchSession(platform, user);
    const keys = await addFindings(platform, user, id, 1);
    await platform.query(
      `INSERT INTO research_sources SELECT (json_populate_record(s, json_build_object('id', s.id || n, 'blob_key', null))).*
       FROM research_sources s, generate_series(1, 500) n WHERE s.session_id = $1`,
      [id],
    );

    await platform.as(user.token).delete(`${SESSIONS}/${id}`);

    await untilResearchErased(platform, id, keys);
  });

  it('leaves the sessions of others alone', async () => {
    const { user, admin } = await addStaffedTenant(platform);
    const [id, other] = [await addResearchSession(platform, user), await addResearchSession(platform, admin)];
    const keys = await addFindings(platform, admin, other);

    await platform.as(service.key).delete(`/v1/auth/users/${user.id}`);

    await untilResearchErased(platform, id, []);
    const { status, body } = await platform.as(admin.token).get(`${SESSIONS}/${other}`);
    expect([status, body.sources.length]).toEqual([200, 2]);
    const [left] = await platform.query('SELECT count(*)::integer AS n FROM blobs WHERE key = ANY($1)', [keys]);
    expect(left).toEqual({ n: 2 });
  });
});
