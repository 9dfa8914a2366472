import { describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION } from '../support/builders/chat-transports.js';
import { chunk, DONE, stream } from '../support/servers/scripted-backend.js';
import { untilStill } from '../support/probes/until-still.js';
import { useGateway } from '../support/servers/use-servers.js';

const EVENTS = 1_500;
const EVENT_BYTES = 32 * 1024;
/** What the system's buffers of two connections on one machine take. */
const BUFFERED_BYTES = 24 * 1024 * 1024;

describe('a stream that is not read', () => {
  const gateway = useGateway();

  it.each([
    ['REST', '/v1/chat/completions', { ...CHAT, stream: true }, 'data: [DONE]'],
    ['graphql-sse', '/graphql', CHAT_OPERATION, 'event: complete'],
  ])('keeps its model server waiting over %s, and is whole when it is read', async (_what, path, body, end) => {
    let sent = 0;
    const pieces = (function* () {
      for (; sent < EVENTS; sent += 1) yield chunk({ content: String(sent).padEnd(EVENT_BYTES) });
      yield DONE;
    })();
    gateway.backend.answer({ ...stream(), pieces });
    const headers = { accept: 'text/event-stream' };

    const answer = await gateway.platform.send('POST', path, { token: gateway.token, body, headers });
    const unread = (await untilStill('what is sent', () => sent)) * EVENT_BYTES;
    const text = await answer.text();

    expect(unread).toBeLessThan(BUFFERED_BYTES);
    expect(text.match(/"content":"\d+ /g)).toEqual(Array.from({ length: EVENTS }, (_, n) => `"content":"${n} `));
    expect(text).toContain(end);
  });
});
