import { beforeAll, describe, expect, it } from '@jest/globals';
import { leftCallMs, shortest } from '../proof/probes/shortest.js';
import { CHAT } from '../support/builders/chat-request.js';
import { ChatTransports } from '../support/builders/chat-transports.js';
import { chunk, hanging, silence } from '../support/servers/scripted-backend.js';
import type { Script } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

const TRANSPORTS = ['REST', 'graphql-ws', 'graphql-sse'] as const;
const BEGUN = hanging(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' }));

describe('a stream', () => {
  const gateway = useGateway();
  let transports: ChatTransports;
  beforeAll(async () => {
    transports = new ChatTransports(gateway);
    // The first time compiles what later times measure.
    for (const transport of TRANSPORTS) await leaveStream(transport, BEGUN);
  });

  it.each(TRANSPORTS)('closes the upstream within 100 ms when a client leaves it over %s', async (transport) => {
    expect(await shortest(100, () => leaveStream(transport, BEGUN))).toBeLessThan(100);
  });

  it.each(TRANSPORTS.slice(1))(
    'closes an upstream that has not answered yet within 100 ms when a client leaves over %s',
    async (transport) => {
      expect(await shortest(100, () => leaveStream(transport, silence()))).toBeLessThan(100);
    },
  );

  it.each([true, false])(
    'closes an upstream that has not answered yet within 100 ms when a client leaves over REST (stream: %s)',
    async (streamed) => {
      const leave = () => {
        gateway.backend.answer(silence());
        return leftCallMs(gateway.backend, (signal) => transports.fetch({ ...CHAT, stream: streamed }, signal));
      };

      expect(await shortest(100, leave)).toBeLessThan(100);
    },
  );

  it('ends with an error event within a second when its session ends', async () => {
    const session = await gateway.platform.login();
    gateway.backend.answer(BEGUN);
    const response = await new ChatTransports({ platform: gateway.platform, token: session.access_token }).fetch();

    const endedAt = performance.now();
    await gateway.platform.request('POST', '/v1/auth/logout', { body: session });
    await response.text();

    expect(performance.now() - endedAt).toBeLessThan(1_000);
  });

  /** How long the upstream stays open after its client has left, in milliseconds. */
  async function leaveStream(transport: string, script: Script): Promise<number> {
    gateway.backend.answer(script);
    const arrival = gateway.backend.nextRequest();
    const opened = await transports.open(transport);
    const first = opened.next().catch(() => undefined);
    const { gone } = await arrival;
    if (script === BEGUN) await first;
    const leftAt = performance.now();
    await opened.leave();
    await gone;
    const took = performance.now() - leftAt;
    await first;
    return took;
  }
});
