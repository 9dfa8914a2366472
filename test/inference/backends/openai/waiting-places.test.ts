import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../../support/builders/accounts.js';
import { CHAT } from '../../../support/builders/chat-request.js';
import { eventually } from '../../../support/probes/eventually.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import { countCalls } from '../../../support/probes/ledger-rows.js';
import { chunk, completion, hanging, stream } from '../../../support/servers/scripted-backend.js';

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
    const { backend } = gateway;
    const other = await addSignedInUser(gateway.platform);
    const served = Promise.withResolvers<void>();
    const hangs = hanging(chunk({ content: 'Hel' }));
    backend.byDefault = ({ body }) => (body.stream ? hangs : completion('Hello.'));
    const ends = () => stream(chunk({ content: 'Hel' }), served.promise);
    backend.answer(ends(), ends());
    const opened = [await openStream(), await openStream()];
    const waiting = [openStream(), openStream()].map((status) => status.catch(() => 0));

    const refused = await Promise.all([openStream(), openStream(), openStream()]);
    const good = gateway.chat({}, { token: other.token });
    // Asks the server for its models, on a connection that no call takes.
    const unknown = await gateway.chat({ model: 'no' });
    const listed = await gateway.get('/v1/backends');
    await eventually('eight calls are recorded', 25, async () => (await countCalls(gateway.platform)) >= 8);
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
    const body = { ...CHAT, stream: true };
    const options = { token: gateway.token, body, signal: silent.signal };
    return (await gateway.platform.send('POST', '/v1/chat/completions', options)).status;
  }
});
