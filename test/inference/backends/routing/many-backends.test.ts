import { afterEach, describe, expect, it } from '@jest/globals';
import { userMessage } from '../../../support/builders/chat-request.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { chunk, completion, cutOff, heldUntil, helloTo, json } from '../../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script, ScriptedBackend } from '../../../support/servers/scripted-backend.js';

const BACKENDS = 8;

describe('several backends of one model', () => {
  let gateway: Gateway;

  afterEach(() => gateway.close());

  it.each([
    ['a refusal that says why', json(422, { detail: [{ loc: ['body', 'x'], msg: 'Field required' }] }), 422],
    ['one that says nothing', { status: 400, pieces: ['no'] }, 400],
    ['another status about the request', json(451, {}), 502],
  ] as [string, Script, number][])(
    'stay in use after %s, which no other is asked about',
    async (_what, script, status) => {
      await start(2);
      byDefault((request) => (JSON.stringify(request.body).includes('bad') ? script : helloTo(request)));

      const refused = await Promise.all(Array.from({ length: 8 }, () => ask('bad')));
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('good')));

      expect(refused.map((answer) => answer.status)).toEqual(Array(8).fill(status));
      expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
      expect(gateway.received).toBe(16);
    },
  );

  it('are asked once each, and never after the first byte', async () => {
    await start(3);
    const cut: Script = cutOff(chunk({ role: 'assistant', content: 'Hel' }));
    const halfAnswer: Script = { ...completion('Hello.'), headers: { 'content-length': '10000' }, ending: 'cut' };
    for (const backend of gateway.backends) backend.answer(cut);
    const streamed = await ask('a', true);
    const afterStream = gateway.received;
    byDefault(() => halfAnswer);
    const whole = await ask('b');
    const afterWhole = gateway.received;

    expect(streamed.body).toContain('Hel');
    expect(streamed.body).toContain('"error"');
    expect(streamed.body).not.toContain('[DONE]');
    expect([afterStream, afterWhole]).toEqual([1, 2]);
    expect(whole.status).toBe(502);
  });

  it('tell the last failure where all fail, after two tries; and 503 with Retry-After where one is busy', async () => {
    await start(5);
    byDefault(() => json(500, {}));
    const failed = await ask('a');
    const tries = gateway.received;

    expect([failed.status, failed.body.error.code, tries]).toEqual([502, 'bad_upstream', 2]);

    byDefault(() => json(429, {}, { 'retry-after': '7' }));
    const busy = await ask('b');

    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7']);
  });

  it('pass a refusal of the request on, which no other would answer better', async () => {
    await start(3);
    byDefault(() => json(400, { error: { message: 'too long' } }));

    const { status, body } = await ask('a');

    expect([status, body.error.message]).toEqual([400, 'too long']);
    expect(gateway.received).toBe(1);
  });

  it('take a call at once where one has room, before it waits for another', async () => {
    await start(2, () => ({ max_concurrency: 1, queue: { max: 1, seconds: 5 }, timeout_seconds: 10 }));
    const gate = Promise.withResolvers<void>();
    const [first, second] = gateway.backends as [ScriptedBackend, ScriptedBackend];
    byDefault(() => heldUntil(gate.promise, completion('Hi.')));
    const arrivals = [first.nextRequest(), second.nextRequest()];

    // The same conversation, which one of them keeps.
    const answers = [ask('the same'), ask('the same')];
    await Promise.all(arrivals);
    const waiting = ask('the same');
    gate.resolve();

    expect((await Promise.all([...answers, waiting])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(gateway.received).toBe(3);
  });

  it('keep a conversation at one of them, which another tenant cannot tell', async () => {
    await start(BACKENDS);

    for (let turn = 0; turn < 6; turn += 1) await ask('a long conversation');

    expect(gateway.backends.map(received).filter((count) => count > 0)).toEqual([6]);
  });

  it('are recorded by the one that answered', async () => {
    await start(2, (index) => ({ priority: index }));
    gateway.backend.answer(json(500, {}));

    await ask('a');

    expect(await gateway.platform.query('SELECT backend FROM calls')).toEqual([{ backend: 'gpu-1' }]);
  });

  /** @param settingsOf each backend, by its number */
  async function start(count: number, settingsOf: (index: number) => object = () => ({})): Promise<void> {
    const backends = Array.from({ length: count }, (_, index) => {
      return { id: `gpu-${index}`, timeout_seconds: 0.5, ...settingsOf(index) };
    });
    gateway = await startGateway({ servers: count, backends, env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    byDefault(helloTo);
  }

  function byDefault(answer: (request: ReceivedRequest) => Script): void {
    for (const backend of gateway.backends) backend.byDefault = answer;
  }

  function ask(text: string, streamed = false): Promise<RestAnswer> {
    return gateway.chat({ messages: [userMessage(text)], stream: streamed });
  }
});

function received({ requests }: ScriptedBackend): number {
  return requests.length;
}
