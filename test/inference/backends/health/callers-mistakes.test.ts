import { afterEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../../support/builders/accounts.js';
import { userMessage } from '../../../support/builders/chat-request.js';
import { eventually } from '../../../support/probes/eventually.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { completion, helloTo, htmlPage, json, silence } from '../../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script, ScriptedBackend } from '../../../support/servers/scripted-backend.js';

const BAD = 'what the server cannot digest';

describe('servers that fail at what a caller sends', () => {
  let gateway: Gateway;
  let tokens: string[];

  afterEach(() => gateway.close());

  it('tell why, and are well all the while', async () => {
    await start(5, 1, json(500, {}));
    const cases: [number, string, number][] = [
      [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', 502],
      [500, 'Failed to parse tool call arguments as JSON', 502],
      [500, 'input is too large to process. increase the physical batch size', 502],
      [501, 'This server does not support embeddings. Start it with `--embeddings`', 409],
    ];

    for (const [status, message, expected] of cases) {
      const type = expected === 409 ? 'conflict_error' : 'upstream_error';
      const code = expected === 409 ? 'capability_not_supported' : 'bad_upstream';
      for (const backend of gateway.backends) backend.byDefault = () => refusal(status, message);
      for (const streamed of [false, true]) {
        const before = gateway.received;
        const answer = await ask(0, BAD, { stream: streamed });
        expect([answer.status, answer.body.error]).toEqual([expected, { message, type, code }]);
        expect(answer.headers.get('x-should-retry')).toBe('false');
        expect(gateway.received - before).toBe(2);
      }
      for (let turn = 0; turn < 10; turn += 1) await ask(0, BAD);
    }

    expect(await health()).toEqual(gateway.backends.map(() => true));
  });

  it('are asked one other time, which may go well', async () => {
    await start(3, 1, refusal(500, 'image input is not supported'));
    (gateway.backends[2] as ScriptedBackend).byDefault = helloTo;
    const statuses = new Set<number>();

    for (let turn = 0; turn < 20; turn += 1) statuses.add((await ask(0, `${BAD} ${turn}`)).status);

    expect([...statuses].sort()).toEqual([200, 502]);
    expect(gateway.received).toBeLessThanOrEqual(40);
  });

  it('show no more of their words than those of a refusal, and no key', async () => {
    await start(1, 1, refusal(500, `bad key sk-of-the-caller ${'x'.repeat(5_000)}`), { byok: true });

    const { body } = await ask(0, BAD, {}, { 'x-byok-api-key': 'sk-of-the-caller' });

    expect(body.error.message).toHaveLength(2_000);
    expect(body.error.message).not.toContain('sk-of-the-caller');
    expect(gateway.platform.logLines.join('')).not.toContain('bad key');
  });

  it('serve everybody else beside two poisoners', async () => {
    await start(2, 4, json(500, {}));
    const poison = async (user: number): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await ask(user, BAD);
    };
    const good = async (user: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) statuses.push((await ask(user, `good ${turn}`)).status);
      return statuses;
    };

    for (const bad of [refusal(500, 'image input'), refusal(403, 'flagged'), { status: 501, pieces: [] }]) {
      for (const backend of gateway.backends)
        backend.byDefault = (request) => (isBad(request) ? bad : helloTo(request));
      const [, , first, second] = await Promise.all([poison(0), poison(1), good(2), good(3)]);

      expect(first).toEqual(Array(20).fill(200));
      expect(second).toEqual(Array(20).fill(200));
      expect(await health()).toEqual([true, true]);
    }
  });

  it.each<[string, Script, boolean]>([
    ['500 of plain text', { status: 500, type: 'text/plain', pieces: ['Internal Server Error'] }, true],
    ['500 that says why', refusal(500, 'image input is not supported'), true],
    ['502 of a proxy', htmlPage(502), true],
    ['504 of a proxy', htmlPage(504), true],
    ['reset', { ending: 'reset' }, true],
    ['empty answer', json(200, ''), false],
    ['page in place of an answer', htmlPage(200), false],
    ['encoding that was not asked for', { headers: { 'content-encoding': 'br' }, pieces: ['xyz'] }, true],
    ['cut answer', { ...completion('Hi.'), headers: { 'content-length': '10000' }, ending: 'cut' }, false],
    ['head that comes too late', silence(), true],
  ])('serve everybody else after the burst of one whom they answer with a %s', async (what, bad, again) => {
    // As short for this one alone: a busy machine may keep good answers for longer.
    await start(2, 2, bad, what === 'head that comes too late' ? { timeout_seconds: 1 } : {});

    await Promise.all([0, 1, 2].map((turn) => ask(0, `${BAD} ${turn}`)));
    const inVain = gateway.received;
    const burst = Promise.all([3, 4, 5].map((turn) => ask(0, `${BAD} ${turn}`)));
    const statuses: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) statuses.push((await ask(1, `good ${turn}`)).status);

    expect(statuses).toEqual(Array(30).fill(200));
    expect(inVain).toBe(again ? 6 : 3);
    expect(await health()).toEqual([true, true]);
    expect((await burst).every(({ status }) => status >= 502)).toBe(true);
  });

  it('get no calls of a single user while they hang and a probe fails too', async () => {
    // A busy machine may keep the other one from answering within a second.
    await start(2, 1, json(200, {}), [{ timeout_seconds: 1 }]);
    const [hanging] = gateway.backends as [ScriptedBackend];
    hanging.byDefault = silence;
    hanging.models = json(500, {});
    for (let turn = 0; (await health())[0] && turn < 100; turn += 1) {
      expect((await ask(0, `good ${turn}`)).status).toBe(200);
    }
    expect(await health()).toEqual([false, true]);
    const before = hanging.requests.length;

    for (let turn = 0; turn < 20; turn += 1) expect((await ask(0, `later ${turn}`)).status).toBe(200);

    expect(hanging.requests.length).toBe(before);
  });

  it('get no calls while those of several callers fail, and get them again when a probe went well', async () => {
    await start(2, 4, refusal(500, 'CUDA error'));
    const [broken, other] = gateway.backends as [ScriptedBackend, ScriptedBackend];
    broken.byDefault = () => refusal(500, 'CUDA error');
    // Probes go well: it is the prober that closes the circuit, not a caller.
    for (let turn = 0; (await health())[0] && turn < 200; turn += 1) {
      expect((await ask(turn % 4, `good ${turn}`)).status).toBe(200);
    }
    expect(await health()).toEqual([false, true]);
    const before = broken.requests.length;
    const served = other.requests.length;

    for (let turn = 0; turn < 8; turn += 1) await ask(turn % 4, `while open ${turn}`);
    expect([broken.requests.length - before, other.requests.length - served]).toEqual([0, 8]);

    broken.byDefault = helloTo;
    await eventually('the first is well', 20, async () => (await health())[0]);
    expect(broken.requests.length).toBe(before);
    for (let turn = 0; turn < 40; turn += 1) await ask(turn % 4, `healed ${turn}`);
    expect(broken.requests.length).toBeGreaterThan(before);
  });

  it('go on with what they can do where they fail at something else', async () => {
    await start(2, 3, json(200, {}));
    const [failing] = gateway.backends as [ScriptedBackend];
    failing.byDefault = (request) => (request.path.endsWith('/embeddings') ? htmlPage(502) : helloTo(request));
    const embed = (user: number): Promise<RestAnswer> =>
      gateway.post('/v1/embeddings', { model: 'scripted', input: 'Hi' }, { token: tokens[user] });
    const embeddings = json(200, { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } });
    (gateway.backends[1] as ScriptedBackend).byDefault = (request) =>
      request.path.endsWith('/embeddings') ? embeddings : helloTo(request);
    for (let turn = 0; (await health())[0] && turn < 400; turn += 1) expect((await embed(turn % 3)).status).toBe(200);
    expect(await health()).toEqual([false, true]);
    const before = failing.requests.length;

    for (let turn = 0; turn < 40; turn += 1) await ask(0, `conversation ${turn}`);

    expect(failing.requests.slice(before).some(({ path }) => path.endsWith('/chat/completions'))).toBe(true);
  });

  it('are asked all the same where there is no other, and are well again at once when they answer', async () => {
    await start(1, 3, json(200, {}));
    const [alone] = gateway.backends as [ScriptedBackend];
    alone.byDefault = () => htmlPage(502);
    for (let turn = 0; turn < 5; turn += 1) expect((await ask(turn % 3, 'a')).status).toBe(502);
    expect(alone.requests).toHaveLength(5);
    expect(await health()).toEqual([false]);

    alone.byDefault = helloTo;

    expect((await ask(0, 'a')).status).toBe(200);
    expect(await health()).toEqual([true]);
  });

  it('are down for callers where what they answer makes no sense', async () => {
    await start(1, 3, json(200, {}));
    gateway.backend.byDefault = () => ({ pieces: ['no JSON'] });

    for (let turn = 0; turn < 3; turn += 1) await ask(turn, 'a');

    expect(await health()).toEqual([false]);
    gateway.backend.byDefault = () => ({ pieces: [`{"choices":[],"x":"${'x'.repeat(17_000_000)}"}`] });
    expect((await ask(0, 'a')).status).toBe(502);
  });

  /**
   * @param bad how the servers answer what they cannot digest
   * @param settings of each server, or in an array of the first ones
   */
  async function start(
    count: number,
    users: number,
    bad: Script,
    settings: object | readonly object[] = {},
  ): Promise<void> {
    const backends = Array.from({ length: count }, (_, index) => {
      return { id: `gpu-${index}`, ...(Array.isArray(settings) ? settings[index] : settings) };
    });
    gateway = await startGateway({ servers: count, backends, env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    for (const backend of gateway.backends) backend.byDefault = (request) => (isBad(request) ? bad : helloTo(request));
    const added = Array.from({ length: users }, () => addSignedInUser(gateway.platform));
    tokens = (await Promise.all(added)).map(({ token }) => token);
  }

  function ask(
    user: number,
    text: string,
    members: object = {},
    headers?: Record<string, string>,
  ): Promise<RestAnswer> {
    return gateway.chat({ messages: [userMessage(text)], ...members }, { token: tokens[user], headers });
  }

  async function health(): Promise<boolean[]> {
    const { body } = await gateway.get('/v1/backends', { token: tokens[0] });
    return body.data.slice(0, gateway.backends.length).map(({ healthy }: { healthy: boolean }) => healthy);
  }
});

function refusal(status: number, message: string): Script {
  return json(status, { error: { code: status, message } });
}

function isBad({ body }: ReceivedRequest): boolean {
  return JSON.stringify(body).includes(BAD);
}
