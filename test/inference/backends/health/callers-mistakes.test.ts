import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/probes/eventually.js';
import { helloTo, htmlPage, json, silence } from '../../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../../support/servers/scripted-backend.js';
import { BAD, CarelessCallers, isBad, refusal } from './careless-callers.js';

describe('servers that fail at what a caller sends', () => {
  let callers: CarelessCallers;

  afterEach(() => callers.gateway.close());

  it('tell why, and are well all the while', async () => {
    callers = await CarelessCallers.start(5, 1, json(500, {}));
    const cases: [number, string, number][] = [
      [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', 502],
      [500, 'Failed to parse tool call arguments as JSON', 502],
      [500, 'input is too large to process. increase the physical batch size', 502],
      [501, 'This server does not support embeddings. Start it with `--embeddings`', 409],
    ];

    for (const [status, message, expected] of cases) {
      const type = expected === 409 ? 'conflict_error' : 'upstream_error';
      const code = expected === 409 ? 'capability_not_supported' : 'bad_upstream';
      for (const backend of callers.gateway.backends) backend.byDefault = () => refusal(status, message);
      for (const streamed of [false, true]) {
        const before = callers.gateway.received;
        const answer = await callers.ask(0, BAD, { stream: streamed });
        expect([answer.status, answer.body.error]).toEqual([expected, { message, type, code }]);
        expect(answer.headers.get('x-should-retry')).toBe('false');
        expect(callers.gateway.received - before).toBe(2);
      }
      for (let turn = 0; turn < 10; turn += 1) await callers.ask(0, BAD);
    }

    expect(await callers.health()).toEqual(callers.gateway.backends.map(() => true));
  });

  it('are asked one other time, which may go well', async () => {
    callers = await CarelessCallers.start(3, 1, refusal(500, 'image input is not supported'));
    (callers.gateway.backends[2] as ScriptedBackend).byDefault = helloTo;
    const statuses = new Set<number>();

    for (let turn = 0; turn < 20; turn += 1) statuses.add((await callers.ask(0, `${BAD} ${turn}`)).status);

    expect([...statuses].sort()).toEqual([200, 502]);
    expect(callers.gateway.received).toBeLessThanOrEqual(40);
  });

  it('show no more of their words than those of a refusal, and no key', async () => {
    callers = await CarelessCallers.start(1, 1, refusal(500, `bad key sk-of-the-caller ${'x'.repeat(5_000)}`), {
      byok: true,
    });

    const { body } = await callers.ask(0, BAD, {}, { 'x-byok-api-key': 'sk-of-the-caller' });

    expect(body.error.message).toHaveLength(2_000);
    expect(body.error.message).not.toContain('sk-of-the-caller');
    expect(callers.gateway.platform.logLines.join('')).not.toContain('bad key');
  });

  it('serve everybody else beside two poisoners', async () => {
    callers = await CarelessCallers.start(2, 4, json(500, {}));
    const poison = async (user: number): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await callers.ask(user, BAD);
    };
    const good = async (user: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) statuses.push((await callers.ask(user, `good ${turn}`)).status);
      return statuses;
    };

    for (const bad of [refusal(500, 'image input'), refusal(403, 'flagged'), { status: 501, pieces: [] }]) {
      for (const backend of callers.gateway.backends)
        backend.byDefault = (request) => (isBad(request) ? bad : helloTo(request));
      const [, , first, second] = await Promise.all([poison(0), poison(1), good(2), good(3)]);

      expect(first).toEqual(Array(20).fill(200));
      expect(second).toEqual(Array(20).fill(200));
      expect(await callers.health()).toEqual([true, true]);
    }
  });

  it('get no calls of a single user while they hang and a probe fails too', async () => {
    // A busy machine may keep the other one from answering within a second.
    callers = await CarelessCallers.start(2, 1, json(200, {}), [{ timeout_seconds: 1 }]);
    const [hanging] = callers.gateway.backends as [ScriptedBackend];
    hanging.byDefault = silence;
    hanging.models = json(500, {});
    for (let turn = 0; (await callers.health())[0] && turn < 100; turn += 1) {
      expect((await callers.ask(0, `good ${turn}`)).status).toBe(200);
    }
    expect(await callers.health()).toEqual([false, true]);
    const before = hanging.requests.length;

    for (let turn = 0; turn < 20; turn += 1) expect((await callers.ask(0, `later ${turn}`)).status).toBe(200);

    expect(hanging.requests.length).toBe(before);
  });

  it('get no calls while those of several callers fail, and get them again when a probe went well', async () => {
    callers = await CarelessCallers.start(2, 4, refusal(500, 'CUDA error'));
    const [broken, other] = callers.gateway.backends as [ScriptedBackend, ScriptedBackend];
    broken.byDefault = () => refusal(500, 'CUDA error');
    // Probes go well: it is the prober that closes the circuit, not a caller.
    for (let turn = 0; (await callers.health())[0] && turn < 200; turn += 1) {
      expect((await callers.ask(turn % 4, `good ${turn}`)).status).toBe(200);
    }
    expect(await callers.health()).toEqual([false, true]);
    const before = broken.requests.length;
    const served = other.requests.length;

    for (let turn = 0; turn < 8; turn += 1) await callers.ask(turn % 4, `while open ${turn}`);
    expect([broken.requests.length - before, other.requests.length - served]).toEqual([0, 8]);

    broken.byDefault = helloTo;
    await eventually('the first is well', 20, async () => (await callers.health())[0]);
    expect(broken.requests.length).toBe(before);
    for (let turn = 0; turn < 40; turn += 1) await callers.ask(turn % 4, `healed ${turn}`);
    expect(broken.requests.length).toBeGreaterThan(before);
  });

  it('go on with what they can do where they fail at something else', async () => {
    callers = await CarelessCallers.start(2, 3, json(200, {}));
    const [failing] = callers.gateway.backends as [ScriptedBackend];
    failing.byDefault = (request) => (request.path.endsWith('/embeddings') ? htmlPage(502) : helloTo(request));
    const embeddings = json(200, { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } });
    (callers.gateway.backends[1] as ScriptedBackend).byDefault = (request) =>
      request.path.endsWith('/embeddings') ? embeddings : helloTo(request);
    for (let turn = 0; (await callers.health())[0] && turn < 400; turn += 1)
      expect((await callers.embed(turn % 3)).status).toBe(200);
    expect(await callers.health()).toEqual([false, true]);
    const before = failing.requests.length;

    for (let turn = 0; turn < 40; turn += 1) await callers.ask(0, `conversation ${turn}`);

    expect(failing.requests.slice(before).some(({ path }) => path.endsWith('/chat/completions'))).toBe(true);
  });

  it('are asked all the same where there is no other, and are well again at once when they answer', async () => {
    callers = await CarelessCallers.start(1, 3, json(200, {}));
    const [alone] = callers.gateway.backends as [ScriptedBackend];
    alone.byDefault = () => htmlPage(502);
    for (let turn = 0; turn < 5; turn += 1) expect((await callers.ask(turn % 3, 'a')).status).toBe(502);
    expect(alone.requests).toHaveLength(5);
    expect(await callers.health()).toEqual([false]);

    alone.byDefault = helloTo;

    expect((await callers.ask(0, 'a')).status).toBe(200);
    expect(await callers.health()).toEqual([true]);
  });

  it('are down for callers where what they answer makes no sense', async () => {
    callers = await CarelessCallers.start(1, 3, json(200, {}));
    callers.gateway.backend.byDefault = () => ({ pieces: ['no JSON'] });

    for (let turn = 0; turn < 3; turn += 1) await callers.ask(turn, 'a');

    expect(await callers.health()).toEqual([false]);
    callers.gateway.backend.byDefault = () => ({ pieces: [`{"choices":[],"x":"${'x'.repeat(17_000_000)}"}`] });
    expect((await callers.ask(0, 'a')).status).toBe(502);
  });
});
