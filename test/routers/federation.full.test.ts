import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN } from '../crash/replica.js';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION } from '../support/builders/chat-transports.js';
import type { ChatEvent } from '../support/builders/chat-transports.js';
import { sseClient, wsClient } from '../support/builders/graphql-clients.js';
import { chunk, completion, cutOff, DONE, hanging, stream, USAGE } from '../support/servers/scripted-backend.js';
import { DividedPlatform } from './divided-platform.js';
import { Router } from './router.js';
import type { AnyJson } from '../support/probes/any-json.js';

const { missing } = DividedPlatform;
const routed = missing.length === 0 ? describe : describe.skip;

routed(`a real router${missing.length === 0 ? '' : `, left out without ${missing.join(' and ')}`}`, () => {
  describe(`${Router.title}, before four servers of one domain each`, () => {
    let [starting, platform, token]: [Promise<DividedPlatform>, DividedPlatform, string] = [] as never;
    beforeAll(start, 240_000);
    // Also where they took too long: six processes that are left would slow down all other tests.
    afterAll(async () => (await starting).close(), 120_000);

    it('one query is answered out of every server', async () => {
      const { body } = await ask(
        '{ me { email tenant { name } quota { percentUsed } } models { id } health { status } usageCalls { totalCount } }',
      );

      expect(body.errors).toBeUndefined();
      expect(body.data).toEqual({
        me: { email: ADMIN.email, tenant: { name: 'Default' }, quota: { percentUsed: 0 } },
        models: [{ id: 'scripted' }],
        health: { status: expect.any(String) },
        usageCalls: { totalCount: 0 },
      });
    });

    it('a list of one server gets the fields of another', async () => {
      const { body } = await ask('{ me { tenant { users { edges { node { email quota { enforcing } } } } } } }');

      expect(body).toEqual({
        data: {
          me: { tenant: { users: { edges: [{ node: { email: ADMIN.email, quota: { enforcing: false } } }] } } },
        },
      });
    });

    it('mutations, with an Idempotency-Key', async () => {
      platform.backend.answer(completion('Once.'), completion('Twice.'));
      const chat = () =>
        ask(
          'mutation ($body: JSON!) { createChatCompletion(body: $body) { raw } }',
          { body: CHAT },
          { 'idempotency-key': 'a key of twenty letters' },
        );

      const answers = [await chat(), await chat()];
      const { body } = await ask('{ usageCalls { edges { node { totalTokens state } } } }');

      expect(answers.map((answer) => answer.body.data.createChatCompletion.raw.choices[0].message.content)).toEqual([
        'Once.',
        'Once.',
      ]);
      expect(body.data.usageCalls.edges).toEqual([{ node: { totalTokens: USAGE.total_tokens, state: 'exact' } }]);
      platform.backend.forget();
    });

    it('errors, with type, code and status, beside what could be answered', async () => {
      const { body } = await ask('{ model(id: "none") { id } me { email } }');

      expect(body.data).toEqual({ model: null, me: { email: ADMIN.email } });
      expect(body.errors).toEqual([
        expect.objectContaining({
          path: ['model'],
          extensions: expect.objectContaining({ type: 'not_found_error', code: 'model_not_found', status: 404 }),
        }),
      ]);
    });

    it('authorization is passed on', async () => {
      const { body } = await ask('{ me { email } health { status } }', {}, { authorization: 'Bearer not.a.token' });
      const stolen = await ask('{ _service { sdl } }');

      expect(body.data).toMatchObject({ me: null, health: { status: expect.any(String) } });
      expect(body.errors[0].extensions).toMatchObject({ code: 'unauthorized', status: 401 });
      expect(stolen.body.errors).toHaveLength(1);
    });

    it.each(clients())('streams piece by piece: %s', async (_name, open) => {
      const gate = Promise.withResolvers<void>();
      platform.backend.answer(stream(chunk({ content: 'Hel' }), gate.promise, chunk({ content: 'lo' }, 'stop'), DONE));
      const client = open();

      const events = client.iterate(CHAT_OPERATION);
      const first = await events.next();
      gate.resolve();
      const second = await events.next();
      const rest = [];
      for await (const event of events) rest.push(event);
      await client.dispose();

      expect([first, second].map(({ value }) => value.data.chatCompletionStream.raw.choices[0].delta)).toEqual([
        { content: 'Hel' },
        { content: 'lo' },
      ]);
      expect(rest.filter(({ errors }) => errors)).toEqual([]);
    });

    it.each(clients())('stops the model when a client leaves: %s', async (_name, open) => {
      const received = platform.backend.nextRequest();
      platform.backend.answer(hanging(chunk({ content: 'Hel' })));
      const client = open();
      const events = client.iterate(CHAT_OPERATION);
      await events.next();

      const { gone } = await received;
      const before = await Promise.race([gone, 'open']);
      await events.return?.();
      await client.dispose();

      expect(before).toBe('open');
      await expect(gone).resolves.toBeUndefined();
    });

    it('subscribes over a web socket with the token of the caller', async () => {
      const [, open] = clients()[0] ?? [];
      const client = (open as () => Client)();
      const events = client.iterate({ query: 'subscription { quotaUpdated { enforcing usage { requests } } }' });

      const { value } = await events.next();
      await events.return?.();
      await client.dispose();

      expect(value.data).toEqual({ quotaUpdated: { enforcing: false, usage: { requests: expect.any(Number) } } });
    });

    it.each(clients())('tells the error of a stream that its model server has cut: %s', async (_name, open) => {
      platform.backend.answer(cutOff(chunk({ content: 'Hel' })));
      const client = open();

      const events: ChatEvent[] = [];
      for await (const event of client.iterate(CHAT_OPERATION)) events.push(event);
      await client.dispose();

      expect(events.at(-1)?.errors?.[0]?.extensions).toMatchObject({ code: 'bad_upstream', status: 502 });
    });

    it('the rest of a query is answered while one server is gone', async () => {
      await platform.servers.get('metering')?.kill();

      const { body } = await ask('{ me { email quota { percentUsed } } models { id } health { status } }');

      expect(body.data).toEqual({
        me: { email: ADMIN.email, quota: null },
        models: [{ id: 'scripted' }],
        health: { status: expect.any(String) },
      });
      expect(body.errors.map(({ path }: { path: string[] }) => path)).toEqual([['me', 'quota']]);
    });

    it('tells that a stream is cut when its server dies', async () => {
      const endless = hanging(chunk({ content: 'Hel' }));
      platform.backend.answer(endless, endless);
      const open = clients().map(([, openClient]) => openClient());
      const streams = open.map((client) => client.iterate(CHAT_OPERATION));
      await Promise.all(streams.map((events) => events.next()));

      await platform.servers.get('inference')?.kill();
      const last = await Promise.all(streams.map((events) => events.next()));
      await Promise.all(open.map((client) => client.dispose()));

      expect(last.map(({ value }) => value.errors?.length)).toEqual([1, 1]);
    });

    it('keeps prompts out of its log, with the configuration that is tested here', async () => {
      const { body } = await ask('mutation ($body: JSON!) { createChatCompletion(body: $body) { raw } }', {
        body: { ...CHAT, messages: [{ role: 'user', content: 'a secret' }] },
      });

      const log = platform.router.log.join('\n');
      expect(body.errors).toHaveLength(1);
      expect(log).toContain('ECONNREFUSED');
      expect(log).not.toContain('a secret');
    });

    /** The server may have to be built first. */
    async function start(): Promise<void> {
      starting = DividedPlatform.start();
      platform = await starting;
      token = await signIn();
    }

    async function signIn(): Promise<string> {
      const login =
        'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
      return (await ask(login, ADMIN)).body.data.login.accessToken;
    }

    async function ask(query: string, variables: object = {}, headers: Record<string, string> = {}) {
      const response = await fetch(`${platform.router.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { headers: response.headers, body: (await response.json()) as AnyJson };
    }

    /** Clients that do not try again, by their names. */
    function clients(): [string, () => Client][] {
      const [once, connection] = [{ retryAttempts: 0 }, () => ({ url: platform.router.url, token })];
      return [
        ['graphql-sse', () => sseClient(connection(), once) as unknown as Client],
        ['graphql-ws', () => wsClient(connection(), once) as unknown as Client],
      ];
    }
  });
});

interface Client {
  iterate(operation: object): AsyncIterableIterator<ChatEvent>;
  dispose(): unknown;
}
