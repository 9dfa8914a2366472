import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION, ChatTransports } from '../support/builders/chat-transports.js';
import { chunk, cutOff, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { leaveCall } from '../support/probes/left-call.js';
import { useGateway } from '../support/servers/use-servers.js';

const TRANSPORTS = ['REST', 'graphql-ws', 'graphql-sse'] as const;
const BEGINNING = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' })];

describe('a stream', () => {
  const gateway = useGateway();
  let transports: ChatTransports;

  beforeAll(async () => {
    transports = new ChatTransports(gateway);
  });

  it('is the same through every transport', async () => {
    const answers: object[][] = [];

    for (const transport of TRANSPORTS) {
      gateway.backend.answer(stream(...wholeStream('Hel', 'lo ', '🌍')));
      const opened = await transports.open(transport);
      const chunks: object[] = [];
      for (let next = await opened.next(); next; next = await opened.next()) chunks.push(next);
      await opened.leave();
      answers.push(chunks);
    }

    expect(answers[0]).toHaveLength(5);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each(TRANSPORTS)('closes the upstream when a client leaves it over %s', async (transport) => {
    gateway.backend.answer(hanging(...BEGINNING));
    const arrival = gateway.backend.nextRequest();
    const opened = await transports.open(transport);
    await opened.next();
    const { gone } = await arrival;
    const before = await Promise.race([gone, 'open']);

    await opened.leave();

    expect(before).toBe('open');
    await expect(gone).resolves.toBeUndefined();
  });

  it.each(TRANSPORTS.slice(1))(
    'closes an upstream that has not answered yet when a client leaves over %s',
    async (transport) => {
      gateway.backend.answer({ ending: 'silent' });
      const arrival = gateway.backend.nextRequest();
      const opened = await transports.open(transport);
      const pending = opened.next().catch(() => undefined);
      const { gone } = await arrival;

      await opened.leave();

      await expect(gone).resolves.toBeUndefined();
      await pending;
    },
  );

  it.each([true, false])(
    'closes an upstream that has not answered yet when a client leaves over REST (stream: %s)',
    async (streamed) => {
      gateway.backend.answer({ ending: 'silent' });

      const left = leaveCall(gateway.backend, (signal) => transports.fetch({ ...CHAT, stream: streamed }, signal));

      await expect(left).resolves.toBeUndefined();
    },
  );

  it.each(TRANSPORTS)('that was cut never looks whole over %s', async (transport) => {
    gateway.backend.answer(cutOff(...BEGINNING));
    const opened = await transports.open(transport);

    const chunks: object[] = [];
    for (let next = await opened.next(); next; next = await opened.next()) chunks.push(next);
    await opened.leave();

    const error = { error: expect.objectContaining({ type: 'upstream_error', code: 'bad_upstream' }) };
    expect(chunks.slice(2)).toEqual(transport === 'REST' ? [error] : []);
  });

  it('ends with an error in GraphQL where it was cut', async () => {
    gateway.backend.answer(cutOff(...BEGINNING));
    const client = transports.wsClient();

    const results = [];
    for await (const result of client.iterate(CHAT_OPERATION)) results.push(result);
    await client.dispose();

    expect(results.at(-1)?.errors?.[0]?.extensions).toEqual({
      type: 'upstream_error',
      code: 'bad_upstream',
      status: 502,
    });
  });

  it('ends with an error event when its session ends', async () => {
    const session = await gateway.platform.login();
    gateway.backend.answer(hanging(...BEGINNING));
    const arrival = gateway.backend.nextRequest();
    const response = await new ChatTransports({ platform: gateway.platform, token: session.access_token }).fetch();
    const received = await arrival;

    await gateway.platform.request('POST', '/v1/auth/logout', { body: session });
    const text = await response.text();

    expect(text).toContain('"code":"unauthorized","reason":"token_revoked"');
    expect(text).not.toContain('[DONE]');
    await received.gone;
  });
});
