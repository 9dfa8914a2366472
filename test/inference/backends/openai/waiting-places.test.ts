import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addUser, defaultTenantId, signIn } from '../../../support/accounts.js';
import { startGateway } from '../../../support/gateway.js';
import type { Gateway } from '../../../support/gateway.js';
import { chunk, completion, hanging, stream } from '../../../support/scripted-backend.js';

describe('a model server that is full', () => {
  let gateway: Gateway;
  const silent = new AbortController();

  beforeEach(async () => {
    gateway = await startGateway({
      backends: [{ models: undefined, max_concurrency: 2, queue: { max: 5, seconds: 60 } }],
    });
  });
  afterEach(async () => {
    silent.abort();
    await gateway.close();
  });

  it('serves another user next although one has filled it, and is well all the while', async () => {
    const { backend, platform, token } = gateway;
    const user = await addUser(platform, await defaultTenantId(platform));
    const other = (await signIn(platform, user.email)).access_token;
    const served = Promise.withResolvers<void>();
    const hangs = hanging(chunk({ content: 'Hel' }));
    backend.byDefault = ({ body }) => (body.stream ? hangs : completion('Hello.'));
    const ends = () => stream(chunk({ content: 'Hel' }), served.promise);
    backend.answer(ends(), ends());
    const opened = [await openStream(), await openStream()];
    const waiting = [openStream(), openStream()].map((status) => status.catch(() => 0));

    const refused = await Promise.all([openStream(), openStream(), openStream()]);
    const good = platform.request('POST', '/v1/chat/completions', {
      token: other,
      body: { model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] },
    });
    // Asks the server for its models, on a connection that no call takes.
    const unknown = await platform.request('POST', '/v1/chat/completions', {
      token,
      body: { model: 'no', messages: [{ role: 'user', content: 'Hi' }] },
    });
    const listed = await platform.request('GET', '/v1/backends', { token });
    while ((await platform.app.database.dataSource.query('SELECT 1 FROM calls')).length < 8) await setImmediate();
    served.resolve();

    expect([opened, refused]).toEqual([
      [200, 200],
      [503, 503, 503],
    ]);
    expect(unknown.status).toBe(404);
    expect(listed.body.data[0]).toMatchObject({ healthy: true });
    expect((await good).status).toBe(200);
    silent.abort();
    await Promise.all(waiting);
  });

  /** A stream of the administrator; on two of them the model goes silent, the others wait. */
  async function openStream(): Promise<number> {
    const answer = await fetch(`${gateway.platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: 'Hi' }], stream: true }),
      signal: silent.signal,
    });
    return answer.status;
  }
});
