import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/probes/eventually.js';
import { userMessage } from '../../../support/builders/chat-request.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { DONE, helloTo, json, silence } from '../../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script, ScriptedBackend } from '../../../support/servers/scripted-backend.js';

const BACKENDS = 8;
const WORKERS = 24;

describe('several backends of one model', () => {
  let gateway: Gateway;
  const underWay = new Set<Promise<RestAnswer>>();

  afterEach(() => gateway.close());

  it('hide those that die, hang, are slow, fail or are busy; and get load again when they heal', async () => {
    // Long enough that a healthy server on a busy machine is not late.
    await start(BACKENDS, () => ({ timeout_seconds: 3 }));
    const [dying, hanging, failing, busy, slow] = gateway.backends as [
      ScriptedBackend,
      ScriptedBackend,
      ScriptedBackend,
      ScriptedBackend,
      ScriptedBackend,
    ];
    const answered = new Map<string, number>();
    const counting = (request: ReceivedRequest): Script => {
      const text = request.body.messages[0].content as string;
      answered.set(text, (answered.get(text) ?? 0) + 1);
      return helloTo(request);
    };
    byDefault(counting);
    const { port } = dying;

    const over = new AbortController();
    const running = load(over.signal);
    await delay(300);
    await dying.close();
    // A call is tried on one other server, so that two unknown bad ones in a row would fail it.
    await eventually('the dying server is found', 10, async () => !(await isHealthy('gpu-0')));
    await Promise.all(underWay);
    // Its list of models fails too: the probe that the first failure starts finds it.
    failing.models = json(500, {});
    failing.byDefault = () => json(500, {});
    await eventually('the failing server is found', 10, async () => !(await isHealthy('gpu-2')));
    await Promise.all(underWay);
    hanging.models = silence();
    hanging.byDefault = silence;
    // The head of a call is late after 3 s, the probe that follows after 5 s.
    await eventually('the hanging server is found', 20, async () => !(await isHealthy('gpu-1')));
    busy.byDefault = () => json(503, { error: 'loading' }, { 'retry-after': '1' });
    slow.byDefault = (request) => {
      const script = counting(request);
      return { ...script, pieces: slowly(script) };
    };
    await delay(2_000);
    const whileBroken = { hanging: received(hanging), failing: received(failing) };
    await delay(700);
    const brokenCalls = {
      hanging: received(hanging) - whileBroken.hanging,
      failing: received(failing) - whileBroken.failing,
    };
    over.abort();
    const { asked, wrong } = await running;

    expect(wrong).toEqual([]);
    expect([...answered.values()].every((times) => times === 1)).toBe(true);
    expect(asked.length).toBeGreaterThan(200);
    // Found by probes, although only one user asks.
    expect(brokenCalls.hanging).toBeLessThanOrEqual(2);
    expect(brokenCalls.failing).toBeLessThanOrEqual(2);

    await dying.listen(port);
    byDefault(helloTo);
    for (const backend of gateway.backends) backend.models = ['scripted'];
    const before = gateway.backends.map(received);
    const healedAt = performance.now();
    let counts: number[] = [];
    do {
      expect((await load(AbortSignal.timeout(250))).wrong).toEqual([]);
      counts = gateway.backends.map((backend, index) => received(backend) - (before[index] ?? 0));
    } while (Math.min(...counts) < 5 && performance.now() - healedAt < 15_000);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
  });

  /** @param settingsOf each backend, by its number */
  async function start(count: number, settingsOf: (index: number) => object = () => ({})): Promise<void> {
    const backends = Array.from({ length: count }, (_, index) => {
      return { id: `gpu-${index}`, timeout_seconds: 0.5, ...settingsOf(index) };
    });
    gateway = await startGateway({ servers: count, backends, env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    byDefault(helloTo);
  }

  async function isHealthy(id: string): Promise<boolean> {
    const { body } = await gateway.get('/v1/backends');
    return body.data.find((entry: { backend: string }) => entry.backend === id).healthy;
  }

  function byDefault(answer: (request: ReceivedRequest) => Script): void {
    for (const backend of gateway.backends) backend.byDefault = answer;
  }

  function ask(text: string, streamed = false): Promise<RestAnswer> {
    return gateway.chat({ messages: [userMessage(text)], stream: streamed });
  }

  /** Asks from many clients at once until the signal is aborted; answers what went wrong, and all that was asked. */
  async function load(signal: AbortSignal): Promise<{ asked: string[]; wrong: unknown[] }> {
    const asked: string[] = [];
    const wrong: unknown[] = [];
    const work = async (worker: number): Promise<void> => {
      for (let turn = 0; !signal.aborted; turn += 1) {
        const text = `question ${worker}.${turn}`;
        asked.push(text);
        const answer = ask(text, turn % 2 === 1);
        underWay.add(answer);
        const { status, body } = await answer.finally(() => underWay.delete(answer));
        const whole = status === 200 && (typeof body === 'string' ? body.endsWith(DONE) : body.choices.length === 1);
        if (!whole) wrong.push([text, status, body]);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    return { asked, wrong };
  }
});

function received({ requests }: ScriptedBackend): number {
  return requests.length;
}

async function* slowly({ pieces = [] }: Script): AsyncGenerator<string> {
  for (const piece of pieces as Iterable<string>) {
    await delay(60);
    yield piece;
  }
}
