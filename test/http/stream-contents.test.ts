import { beforeAll, describe, expect, it } from '@jest/globals';
import { usedOf } from '../support/builders/quota.js';
import { CHAT } from '../support/builders/chat-request.js';
import { CHAT_OPERATION, ChatTransports } from '../support/builders/chat-transports.js';
import type { ChatEvent } from '../support/builders/chat-transports.js';
import { chunk, cutOff, DONE, json, stream, usageChunk, wholeStream } from '../support/servers/scripted-backend.js';
import { untilStill } from '../support/probes/until-still.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('what a stream sends', () => {
  const gateway = useGateway();
  let transports: ChatTransports;

  beforeAll(async () => {
    transports = new ChatTransports(gateway);
  });

  it('is an error with its status where it is refused before its first event', async () => {
    const refusal = json(400, { error: { code: 400, message: 'too long', type: 'exceed_context_size_error' } });
    gateway.backend.answer(refusal, refusal);

    const rest = await gateway.chat({ stream: true });
    const client = transports.wsClient();
    const first = await client.iterate(CHAT_OPERATION).next();
    await client.dispose();

    const expected = { type: 'invalid_request_error', code: 'bad_request', reason: 'context_length_exceeded' };
    expect([rest.status, rest.body.error]).toEqual([400, { message: 'too long', ...expected }]);
    expect((first.value as ChatEvent).errors?.[0]?.extensions).toEqual({ ...expected, status: 400 });
  });

  it('is recorded before its end mark is sent, whichever way it ends', async () => {
    const before = await usedOf(gateway);
    gateway.backend.answer(stream(...wholeStream('Hello')));
    await (await transports.fetch()).text();
    const afterWhole = await usedOf(gateway);
    gateway.backend.answer(cutOff(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hello' })));
    await (await transports.fetch()).text();
    const afterCut = await usedOf(gateway);

    expect(afterWhole.requests - before.requests).toBe(1);
    expect(afterWhole.tokens - before.tokens).toBe(10);
    expect(afterCut.requests - afterWhole.requests).toBe(1);
    expect(afterCut.tokens).toBeGreaterThan(afterWhole.tokens);
  });

  it('has the usage only for who asked for it, and asks the upstream always', async () => {
    gateway.backend.answer(stream(...wholeStream('Hi')), stream(...wholeStream('Hi')));

    const silent = await (await transports.fetch()).text();
    const asked = await (
      await transports.fetch({ ...CHAT, stream: true, stream_options: { include_usage: true } })
    ).text();

    expect(silent).not.toContain('usage');
    expect(asked.trimEnd().split('\n\n').at(-2)).toContain('"choices":[],"usage":{"prompt_tokens":7');
    const sent = gateway.backend.requests.slice(-2).map(({ body }) => body.stream_options);
    expect(sent).toEqual([{ include_usage: true }, { include_usage: true }]);
  });

  it('does not wait for more than has arrived', async () => {
    const gate = Promise.withResolvers<void>();
    const last = [chunk({}, 'stop'), usageChunk(), DONE];
    gateway.backend.answer(stream(chunk({ role: 'assistant', content: '' }), gate.promise, ...last));
    const opened = await transports.rest();

    const first = await opened.next();
    gate.resolve();
    const second = await opened.next();

    const choice = (members: object) => expect.objectContaining({ choices: [expect.objectContaining(members)] });
    expect(first).toEqual(choice({ delta: { role: 'assistant', content: '' } }));
    expect(second).toEqual(choice({ finish_reason: 'stop' }));
    await opened.leave();
  });

  it('holds the upstream back for a slow reader', async () => {
    let written = 0;
    const piece = chunk({ content: 'x'.repeat(64 * 1024) });
    const endless = (function* () {
      for (; written < 2_000; written += 1) yield piece;
    })();
    gateway.backend.answer({ type: 'text/event-stream', pieces: endless });
    const arrival = gateway.backend.nextRequest();
    const controller = new AbortController();
    const response = await transports.fetch(undefined, controller.signal);
    const received = await arrival;

    const heldAt = await untilStill('what is written', () => written);
    controller.abort();
    await received.gone;

    expect(response.status).toBe(200);
    expect(heldAt).toBeLessThan(1_000);
  });
});
