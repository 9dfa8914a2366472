import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { wsClient } from '../../../support/builders/graphql-clients.js';
import { addSignedInUser } from '../../../support/builders/accounts.js';
import { htmlPage } from '../../../support/servers/scripted-backend.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';

describe('the health of backends', () => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.close());

  it('is told when it changes', async () => {
    await gateway.chat();
    const client = wsClient({ url: gateway.platform.url, token: gateway.token });
    const changes = client.iterate<{ backendHealthChanged: object }>({
      query: 'subscription { backendHealthChanged { backend healthy models } }',
    });
    const first = changes.next();
    // The subscription runs as soon as the socket is there; a query on it comes after it.
    for await (const _ of client.iterate({ query: '{ models { id } }' }));
    const { port } = gateway.backend;

    await gateway.backend.close();
    await gateway.chat();
    const down = await first;
    const second = changes.next();
    await gateway.backend.listen(port);
    await gateway.chat();
    const up = await second;
    await changes.return?.();
    await client.dispose();

    expect(down.value.data.backendHealthChanged).toEqual({ backend: 'openai', healthy: false, models: ['scripted'] });
    expect(up.value.data.backendHealthChanged).toEqual({ backend: 'openai', healthy: true, models: ['scripted'] });
  });

  it('is told when a circuit opens and closes, and by the list of backends', async () => {
    const users = await Promise.all([1, 2, 3].map(() => addSignedInUser(gateway.platform)));
    const client = wsClient({ url: gateway.platform.url, token: gateway.token });
    const changes = client.iterate<{ backendHealthChanged: object }>({
      query: 'subscription { backendHealthChanged { backend healthy models } }',
    });
    const first = changes.next();
    // The subscription runs as soon as the socket is there; a query on it comes after it.
    for await (const _ of client.iterate({ query: '{ models { id } }' }));
    const listed = async (): Promise<boolean> => {
      const { body } = await gateway.get('/v1/backends');
      return body.data.find(({ backend: name }: { backend: string }) => name === 'openai').healthy;
    };
    gateway.backend.byDefault = () => htmlPage(502);
    for (const { token } of users) await gateway.chat({}, { token });
    const down = [(await first).value.data.backendHealthChanged, await listed()];
    const second = changes.next();

    // The prober finds that the server is there, although nobody asks for anything.
    const up = [(await second).value.data.backendHealthChanged, await listed()];
    await changes.return?.();
    await client.dispose();

    expect(down).toEqual([expect.objectContaining({ healthy: false }), false]);
    expect(up).toEqual([expect.objectContaining({ healthy: true }), true]);
  });
});
