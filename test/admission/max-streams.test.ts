import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/probes/eventually.js';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION, ChatTransports } from '../support/builders/chat-transports.js';
import type { ChatEvent } from '../support/builders/chat-transports.js';
import { chunk, completion, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('the number of open streams', () => {
  const gateway = useGateway({ env: { MAX_STREAMS: '1' } });
  let transports: ChatTransports;

  beforeAll(async () => {
    transports = new ChatTransports(gateway);
  });

  it('is bounded over all transports, and a place is free again when a stream ends', async () => {
    const endless = hanging(chunk({ role: 'assistant', content: '' }));
    gateway.backend.answer(endless, completion('Hi'), stream(...wholeStream('Hi')));
    const arrival = gateway.backend.nextRequest();
    const opened = await transports.rest();
    await opened.next();

    const refused = await transports.fetch({ ...CHAT, stream: true });
    const whole = await transports.fetch(CHAT);
    const client = transports.wsClient();
    const overSocket = (await client.iterate(CHAT_OPERATION).next()).value as ChatEvent;
    await opened.leave();
    await (
      await arrival
    ).gone;
    // The place is free when the call that was left is recorded.
    const admitted = await eventually('a place is free', 5, async () => {
      const response = await transports.fetch({ ...CHAT, stream: true });
      return (await response.text()) !== '' && response.status === 200 && response.status;
    });
    await client.dispose();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    // Whoever is refused has used nothing of the minute.
    expect([whole.status, whole.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '598']);
    expect(overSocket.errors?.[0]?.extensions).toMatchObject({ status: 503, code: 'unavailable' });
    expect(admitted).toBe(200);
  });
});
