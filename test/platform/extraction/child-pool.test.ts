import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { ask, isRunning, openPool, PROBE, unaborted, trialOf } from '../../support/servers/children/probe.js';

describe('what a child may', () => {
  test.each([
    ['read another file', 'read', '/etc/passwd', { error: 'ERR_ACCESS_DENIED' }],
    ['write a file', 'write', '/tmp/written-by-a-child', { error: 'ERR_ACCESS_DENIED' }],
    ['start a program', 'spawn', '', { error: 'ERR_ACCESS_DENIED' }],
    ['connect', 'connect', '9', { error: 'this process makes no connections' }],
    ['evaluate a text', 'evaluate', '', { error: 'Code generation from strings disallowed for this context' }],
  ])('it cannot %s', async (_, trial, argument, answer) => {
    using pool = openPool();

    expect(await ask(pool, trial, argument)).toEqual([answer]);
  });

  test('it has nothing of the environment', async () => {
    using pool = openPool();

    expect(await ask(pool, 'environment')).toEqual([{ answer: [] }]);
  });
});

describe('what ends a child', () => {
  test.each([
    ['the time limit, also while it is busy', 'spin', { seconds: 1 }, 'timeout'],
    ['a full heap', 'fillHeap', { memoryMib: 128 }, 'out_of_memory'],
    ['memory outside of the heap', 'fillBuffers', { memoryMib: 128 }, 'out_of_memory'],
  ])('%s', async (_, trial, limits, reason) => {
    using pool = openPool(limits);

    await expect(ask(pool, trial)).rejects.toMatchObject({ reason });

    expect(pool.running).toBe(0);
    expect(await ask(pool, 'environment')).toEqual([{ answer: [] }]);
  });

  test('the time of its task, where that is shorter', async () => {
    using pool = openPool({ seconds: 600 });
    const input = Readable.from([]);

    const answers = pool.run(PROBE, { task: trialOf('spin'), input, signal: unaborted(), seconds: 1 });

    await expect(answers.next()).resolves.toMatchObject({ value: { begun: true } });
    await expect(answers.next()).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('a full heap, also while it is given its input', async () => {
    using pool = openPool({ memoryMib: 128 });
    const input = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(64 * 1024);
      })(),
    );

    const answers = pool.run(PROBE, { task: trialOf('fillHeap'), input, signal: unaborted() });

    await expect(answers.next()).rejects.toMatchObject({ reason: 'out_of_memory' });
    expect(input.destroyed).toBe(true);
  });

  test('the signal, long before the time limit, with its own reason', async () => {
    using pool = openPool({ seconds: 600 });
    const controller = new AbortController();
    const spinning = ask(pool, 'spin', '', controller.signal);
    await eventually('a child is busy', 5, () => pool.busyPids.length === 1);
    const [pid] = pool.busyPids as [number];

    controller.abort(new Error('the job was cancelled'));

    await expect(spinning).rejects.toThrow('the job was cancelled');
    await eventually('the child has ended', 5, () => !isRunning(pid));
  });

  test('somebody else: the task is interrupted, and the next one has a new child', async () => {
    using pool = openPool();
    const spinning = ask(pool, 'spin');
    await eventually('a child is busy', 5, () => pool.busyPids.length === 1);

    process.kill(pool.busyPids[0] as number, 'SIGKILL');

    await expect(spinning).rejects.toMatchObject({ reason: 'interrupted' });
    expect(await ask(pool, 'environment')).toEqual([{ answer: [] }]);
  });

  test('the end of the process that starts children, in whose place there is another one', async () => {
    using pool = openPool();
    const spinning = ask(pool, 'spin');
    await eventually('a child is busy', 5, () => pool.busyPids.length === 1);
    const child = pool.busyPids[0] as number;
    const [, launcher] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8')) ?? [];

    process.kill(Number(launcher), 'SIGKILL');

    await expect(spinning).rejects.toMatchObject({ reason: 'interrupted' });
    expect(Number(launcher)).not.toBe(process.pid);
    expect(await ask(pool, 'environment')).toEqual([{ answer: [] }]);
    await eventually('the child has ended', 5, () => !isRunning(child));
  });

  test('the end of its parent, also while it is busy', async () => {
    const parent = fileURLToPath(new URL('../../support/servers/children/parent.ts', import.meta.url));
    const starter = spawn(process.execPath, ['--import', 'tsx', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isRunning(pid)).toBe(true);

    starter.kill('SIGKILL');

    await eventually('the child has ended', 5, () => !isRunning(pid));
  });

  test('a reader that leaves', async () => {
    using pool = openPool();

    for await (const _ of pool.run(PROBE, {
      task: trialOf('count', '100000'),
      input: Readable.from([]),
      signal: unaborted(),
    })) {
      break;
    }

    expect(pool.running).toBe(0);
  });
});

describe('how children work', () => {
  test('a child that does its tasks is kept, until it has done fifty', async () => {
    using pool = openPool({ processes: 1 });
    const pids = new Set<string>();

    for (let count = 0; count < 51; count += 1) pids.add(JSON.stringify(await ask(pool, 'pid')));

    expect(pids.size).toBe(2);
  });

  test('no more run at once than there may be, and the others wait in turn', async () => {
    using pool = openPool({ processes: 1 });
    const order: number[] = [];

    const tasks = [0, 1, 2].map((number) => ask(pool, 'count', '3').then(() => order.push(number)));
    await eventually('two wait for one', 5, () => pool.running === 1 && pool.waiting === 2);
    await Promise.all(tasks);

    expect(order).toEqual([0, 1, 2]);
    expect(pool.waiting).toBe(0);
  });

  test('a child is ready for the next task where none is, as long as there may be more', async () => {
    using pool = openPool({ processes: 2 });
    const busy = new AbortController();
    const spin = () => ask(pool, 'spin', '', busy.signal).catch((error: Error) => error.message);
    const spinning = [spin()];
    await eventually('one works', 5, () => pool.busyPids.length === 1);

    pool.warm(PROBE);
    pool.warm(PROBE);
    await eventually('one is ready', 5, () => pool.idlePids.length === 1);
    const [ready] = pool.idlePids;
    spinning.push(spin());
    await eventually('both work', 5, () => pool.busyPids.length === 2);
    pool.warm(PROBE);

    expect(pool.busyPids).toContain(ready);
    expect(pool.running).toBe(2);
    busy.abort(new Error('over'));
    expect(await Promise.all(spinning)).toEqual(['over', 'over']);
  });

  test('one that is ready stays so for as long again where it is asked for once more', () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      using pool = openPool({ processes: 2 });
      pool.warm(PROBE);
      jest.advanceTimersByTime(55_000);
      pool.warm(PROBE);
      jest.advanceTimersByTime(55_000);
      expect(pool.running).toBe(1);
      jest.advanceTimersByTime(5_000);
      expect(pool.running).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('one that died while it was ready keeps no other from being so', async () => {
    using pool = openPool({ processes: 1 });
    pool.warm(PROBE);
    await eventually('one is ready', 5, () => pool.idlePids.length === 1);
    const [dead = 0] = pool.idlePids;

    process.kill(dead, 'SIGKILL');
    await eventually('another is ready', 5, () => {
      pool.warm(PROBE);
      return pool.idlePids.length === 1 && !pool.idlePids.includes(dead);
    });
  });

  test('whoever leaves while waiting leaves nothing behind', async () => {
    using pool = openPool({ processes: 1 });
    const busy = new AbortController();
    const spinning = ask(pool, 'spin', '', busy.signal);
    const leaving = new AbortController();
    const waiting = ask(pool, 'pid', '', leaving.signal);
    await eventually('one waits', 5, () => pool.waiting === 1);

    leaving.abort(new Error('left'));

    await expect(waiting).rejects.toThrow('left');
    expect(pool.waiting).toBe(0);
    busy.abort(new Error('over'));
    await expect(spinning).rejects.toThrow('over');
    expect(await ask(pool, 'environment')).toEqual([{ answer: [] }]);
  });

  test('a child does not run ahead of its reader', async () => {
    using pool = openPool();
    let fed = 0;
    const input = Readable.from(
      (function* () {
        for (; fed < 2_000; fed += 1) yield Buffer.alloc(64 * 1024);
      })(),
    );
    const answers = pool.run(PROBE, { task: trialOf('count', '5000'), input, signal: unaborted() });

    let count = 0;
    let fedAtHalf = 0;
    for await (const _ of answers) {
      count += 1;
      if (count === 2_500) fedAtHalf = fed;
    }

    expect(count).toBe(5_000);
    // What the child did not read was not read from the source either; it drops the rest when it is done.
    expect(fedAtHalf).toBeLessThan(200);
  });

  test('what the input throws is thrown', async () => {
    using pool = openPool();
    const input = Readable.from(
      (async function* () {
        yield Buffer.from('begin');
        throw new Error('the store is gone');
      })(),
    );

    const reading = (async () => {
      for await (const _ of pool.run(PROBE, { task: trialOf('echo'), input, signal: unaborted() }));
    })();

    await expect(reading).rejects.toThrow('the store is gone');
  });

  test('tasks of a closed pool fail', async () => {
    const pool = openPool();
    const spinning = ask(pool, 'spin');
    await eventually('a child is busy', 5, () => pool.busyPids.length === 1);

    pool.close();

    await expect(spinning).rejects.toThrow();
    await expect(ask(pool, 'pid')).rejects.toMatchObject({ reason: 'interrupted' });
    expect(pool.running).toBe(0);
  });
});
