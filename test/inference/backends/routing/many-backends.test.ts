import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chunk,
  completion,
  cutOff,
  DONE,
  json,
  silence,
  startScriptedBackend,
  stream,
  wholeStream,
} from '../../../support/scripted-backend.js';
import type { ReceivedRequest, Script, ScriptedBackend } from '../../../support/scripted-backend.js';
import { startPlatform } from '../../../support/platform.js';
import type { Platform, RestAnswer } from '../../../support/platform.js';

const BACKENDS = 8;
const WORKERS = 24;

describe('several backends of one model', () => {
  let folder: string;
  let backends: ScriptedBackend[];
  let platform: Platform;
  let token: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'many-'));
    backends = await Promise.all(Array.from({ length: BACKENDS }, startScriptedBackend));
    for (const backend of backends) backend.byDefault = answerFor;
  });
  afterEach(async () => {
    await platform.close();
    await Promise.all(backends.map((backend) => backend.close().catch(() => undefined)));
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['a refusal that says why', json(422, { detail: [{ loc: ['body', 'x'], msg: 'Field required' }] }), 422],
    ['one that says nothing', { status: 400, pieces: ['no'] }, 400],
    ['another status about the request', json(451, {}), 502],
  ] as [string, Script, number][])(
    'stay in use after %s, which no other is asked about',
    async (_what, script, status) => {
      await start(2);
      for (const backend of backends) {
        backend.byDefault = (request) => (JSON.stringify(request.body).includes('bad') ? script : answerFor(request));
      }

      const refused = await Promise.all(Array.from({ length: 8 }, () => ask('bad')));
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('good')));

      expect(refused.map((answer) => answer.status)).toEqual(Array(8).fill(status));
      expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
      expect(backends.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(16);
    },
  );

  it('hide those that die, hang, are slow, fail or are busy; and get load again when they heal', async () => {
    await start(BACKENDS);
    const [dying, hanging, failing, busy, slow] = backends as [
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
      return answerFor(request);
    };
    for (const backend of backends) backend.byDefault = counting;
    const { port } = dying;

    const running = load(10_000);
    await delay(300);
    await dying.close();
    // Its list of models fails too: the probe that the first failure starts finds it.
    failing.models = json(500, {});
    failing.byDefault = () => json(500, {});
    await delay(500);
    hanging.models = silence();
    hanging.byDefault = silence;
    busy.byDefault = () => json(503, { error: 'loading' }, { 'retry-after': '1' });
    slow.byDefault = (request) => {
      const script = counting(request);
      return { ...script, pieces: slowly(script) };
    };
    // The head of a call is late after 0.5 s, the probe that follows after 5 s.
    await delay(6_500);
    const whileBroken = { hanging: received(hanging), failing: received(failing) };
    await delay(700);
    const brokenCalls = {
      hanging: received(hanging) - whileBroken.hanging,
      failing: received(failing) - whileBroken.failing,
    };
    const { asked, wrong } = await running;

    expect(wrong).toEqual([]);
    expect([...answered.values()].every((times) => times === 1)).toBe(true);
    expect(asked.length).toBeGreaterThan(200);
    // Found by probes, although only one user asks.
    expect(brokenCalls.hanging).toBeLessThanOrEqual(2);
    expect(brokenCalls.failing).toBeLessThanOrEqual(2);

    await dying.listen(port);
    for (const backend of backends) {
      backend.byDefault = answerFor;
      backend.models = ['scripted'];
    }
    const before = backends.map(received);
    const healedAt = performance.now();
    let counts: number[] = [];
    do {
      expect((await load(250)).wrong).toEqual([]);
      counts = backends.map((backend, index) => received(backend) - (before[index] ?? 0));
    } while (Math.min(...counts) < 5 && performance.now() - healedAt < 15_000);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
  }, 60_000);

  it('are asked once each, and never after the first byte', async () => {
    await start(3);
    const cut: Script = cutOff(chunk({ role: 'assistant', content: 'Hel' }));
    const halfAnswer: Script = { ...completion('Hello.'), headers: { 'content-length': '10000' }, ending: 'cut' };
    for (const backend of backends) backend.answer(cut);
    const streamed = await ask('a', true);
    const afterStream = backends.reduce((sum, backend) => sum + received(backend), 0);
    for (const backend of backends) backend.byDefault = () => halfAnswer;
    const whole = await ask('b');
    const afterWhole = backends.reduce((sum, backend) => sum + received(backend), 0);

    expect(streamed.body).toContain('Hel');
    expect(streamed.body).toContain('"error"');
    expect(streamed.body).not.toContain('[DONE]');
    expect([afterStream, afterWhole]).toEqual([1, 2]);
    expect(whole.status).toBe(502);
  });

  it('tell the last failure where all fail, after two tries; and 503 with Retry-After where one is busy', async () => {
    await start(5);
    for (const backend of backends) backend.byDefault = () => json(500, {});
    const failed = await ask('a');
    const tries = backends.reduce((sum, backend) => sum + received(backend), 0);

    expect([failed.status, failed.body.error.code, tries]).toEqual([502, 'bad_upstream', 2]);

    for (const backend of backends) backend.byDefault = () => json(429, {}, { 'retry-after': '7' });
    const busy = await ask('b');

    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7']);
  });

  it('pass a refusal of the request on, which no other would answer better', async () => {
    await start(3);
    for (const backend of backends) backend.byDefault = () => json(400, { error: { message: 'too long' } });

    const { status, body } = await ask('a');

    expect([status, body.error.message]).toEqual([400, 'too long']);
    expect(backends.reduce((sum, backend) => sum + received(backend), 0)).toBe(1);
  });

  it('take a call at once where one has room, before it waits for another', async () => {
    await start(2, () => ({ max_concurrency: 1, queue: { max: 1, seconds: 5 }, timeout_seconds: 10 }));
    const gate = Promise.withResolvers<void>();
    const [first, second] = backends as [ScriptedBackend, ScriptedBackend];
    for (const backend of [first, second]) {
      backend.byDefault = () => ({ ...completion('Hi.'), pieces: held(gate.promise, completion('Hi.')) });
    }
    const arrivals = [first.nextRequest(), second.nextRequest()];

    // The same conversation, which one of them keeps.
    const answers = [ask('the same'), ask('the same')];
    await Promise.all(arrivals);
    const waiting = ask('the same');
    gate.resolve();

    expect((await Promise.all([...answers, waiting])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(received(first) + received(second)).toBe(3);
  });

  it('keep a conversation at one of them, which another tenant cannot tell', async () => {
    await start(BACKENDS);

    for (let turn = 0; turn < 6; turn += 1) await ask('a long conversation');

    expect(backends.map(received).filter((count) => count > 0)).toEqual([6]);
  });

  it('are recorded by the one that answered', async () => {
    await start(2, (index) => ({ priority: index }));
    backends[0]?.answer(json(500, {}));

    await ask('a');

    const [{ backend }] = await platform.app.database.dataSource.query('SELECT backend FROM calls');
    expect(backend).toBe('gpu-1');
  });

  async function start(count: number, settings: (index: number) => object = () => ({})): Promise<void> {
    const entries = backends.slice(0, count).map(({ url }, index) => ({
      id: `gpu-${index}`,
      kind: 'openai',
      base_url: url,
      models: ['scripted'],
      timeout_seconds: 0.5,
      ...settings(index),
    }));
    writeFileSync(join(folder, 'backends.json'), JSON.stringify({ backends: entries }));
    platform = await startPlatform({
      BACKENDS_FILE: join(folder, 'backends.json'),
      RATE_LIMIT_REQUESTS_PER_MINUTE: '0',
    });
    token = (await platform.login()).access_token;
  }

  function ask(text: string, streamed = false): Promise<RestAnswer> {
    const body = { model: 'scripted', messages: [{ role: 'user', content: text }], stream: streamed };
    return platform.request('POST', '/v1/chat/completions', { token, body });
  }

  /** Asks from many clients at once until the time is over; answers what went wrong, and all that was asked. */
  async function load(milliseconds: number): Promise<{ asked: string[]; wrong: unknown[] }> {
    const asked: string[] = [];
    const wrong: unknown[] = [];
    const endAt = performance.now() + milliseconds;
    const work = async (worker: number): Promise<void> => {
      for (let turn = 0; performance.now() < endAt; turn += 1) {
        const text = `question ${worker}.${turn}`;
        asked.push(text);
        const { status, body } = await ask(text, turn % 2 === 1);
        const whole = status === 200 && (typeof body === 'string' ? body.endsWith(DONE) : body.choices.length === 1);
        if (!whole) wrong.push([text, status, body]);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    return { asked, wrong };
  }

  function received(backend: ScriptedBackend): number {
    return backend.requests.length;
  }
});

function answerFor({ body }: ReceivedRequest): Script {
  return body.stream ? stream(...wholeStream('Hello.')) : completion('Hello.');
}

async function* slowly({ pieces = [] }: Script): AsyncGenerator<string> {
  for (const piece of pieces as Iterable<string>) {
    await delay(60);
    yield piece;
  }
}

async function* held(gate: Promise<void>, { pieces = [] }: Script): AsyncGenerator<string> {
  await gate;
  yield* pieces as Iterable<string>;
}
