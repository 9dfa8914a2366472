import { describe, expect, it } from '@jest/globals';
import { CHAT_OPERATION } from '../support/builders/chat-transports.js';
import type { ChatEvent } from '../support/builders/chat-transports.js';
import { sseClient, wsClient } from '../support/builders/graphql-clients.js';
import { chunk, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';
import { expectNoSecondRun } from './revoked-stream.js';

const gateway = useGateway();

describe.each([
  [clientTitle('graphql-ws'), ws],
  [clientTitle('graphql-sse'), sse],
])('%s', (_title, open) => {
  it('queries', async () => {
    const client = open(gateway.token);

    const { value } = await client.iterate({ query: '{ me { email } }' }).next();
    await client.dispose();

    expect(value).toEqual({ data: { me: { email: gateway.platform.admin.email } } });
  });

  it('errors, with type, code and status', async () => {
    const client = open(gateway.token);

    const { value } = await client.iterate({ query: '{ model(id: "none") { id } }' }).next();
    await client.dispose();

    expect(value.errors[0].extensions).toMatchObject({ code: 'model_not_found', status: 404 });
  });

  it('subscriptions', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));
    const client = open(gateway.token);

    const events = [];
    for await (const event of client.iterate(CHAT_OPERATION)) events.push(event);
    await client.dispose();

    expect(JSON.stringify(events)).toMatch(/Hel.*lo!.*stop/);
  });

  it('stops the model when it leaves', async () => {
    gateway.backend.answer(hanging(chunk({ content: 'Hel' })));
    const received = gateway.backend.nextRequest();
    const client = open(gateway.token);
    const events = client.iterate(CHAT_OPERATION);
    await events.next();

    const { gone } = await received;
    const before = await Promise.race([gone, 'open']);
    await events.return?.();

    expect(before).toBe('open');
    await expect(gone).resolves.toBeUndefined();
    await client.dispose();
  });

  it('a revoked token ends a subscription, once', async () => {
    let client: Client | undefined;

    await expectNoSecondRun(gateway, (token, { next, ended }) => {
      client = open(token);
      client.subscribe(CHAT_OPERATION, {
        next: ({ errors }: ChatEvent) => (errors ? ended(errors) : next()),
        error: ended,
        complete: () => ended(),
      });
    });
    await client?.dispose();
  });
});

// With their own habits of trying again.
function ws(token: string) {
  return wsClient({ url: gateway.platform.url, token }) as unknown as Client;
}

function sse(token: string) {
  return sseClient({ url: gateway.platform.url, token }) as unknown as Client;
}

/** What the clients of both transports have in common. */
interface Client {
  iterate(operation: object): AsyncIterableIterator<ChatEvent>;
  subscribe(operation: object, sink: object): () => void;
  dispose(): unknown;
}
