import { beforeAll, describe, expect, it } from '@jest/globals';
import { LintRun } from '../support/probes/lint-run.js';

describe('the rule of the wall clock', () => {
  let run: LintRun;
  beforeAll(async () => {
    run = await LintRun.of([...timed(), ...timeless()]);
  });

  it.each(timed())('finds what makes %s depend on time or memory: %s', (file, _text, problem) => {
    expect(run.problemsOf(file)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(timeless())('finds nothing in %s: %s', (file) => {
    expect(run.problemsOf(file).filter((message) => /busy machine|time to pass/.test(message))).toEqual([]);
  });
});

/** One measurement or sleep each. */
function timed(): readonly (readonly [file: string, text: string, problem: string])[] {
  return [
    ['test/now.test.ts', 'const startedAt = performance.now();', 'busy machine'],
    ['test/memory.test.ts', 'const { rss } = process.memoryUsage();', 'busy machine'],
    ['test/resident.test.ts', 'const rss = process.memoryUsage.rss();', 'busy machine'],
    ['test/high-resolution.full.test.ts', 'const at = process.hrtime.bigint();', 'busy machine'],
    ['test/date.test.ts', 'expect(Date.now() - startedAt).toBeLessThan(5_000);', 'busy machine'],
    ['test/grace.test.ts', 'expect(Math.abs(graceEnd - Date.now())).toBeLessThan(5_000);', 'busy machine'],
    ['test/support/probes/cpu.ts', 'const before = process.cpuUsage();', 'busy machine'],
    ['test/sleep.test.ts', sleeping('await sleep(50);'), 'time to pass'],
    ['test/support/pause.ts', 'await new Promise((resolve) => setTimeout(resolve, 50));', 'time to pass'],
    ['test/block.test.ts', 'await new Promise((resolve) => { setTimeout(resolve, WAIT_MS); });', 'time to pass'],
  ];
}

function timeless(): readonly (readonly [file: string, text: string])[] {
  return [
    ['test/data.test.ts', 'const past = new Date(Date.now() - DAY_MS);'],
    ['test/later.test.ts', 'const expiresAt = new Date(Date.now() + 1_000);'],
    ['test/turn.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 0));'],
    ['test/limit.test.ts', sleeping("await Promise.race([answer, sleep(5_000, 'late')]);")],
    ['test/faked.test.ts', "jest.spyOn(performance, 'now').mockReturnValue(0);"],
    ['test/timers.test.ts', 'jest.useFakeTimers(); await new Promise((resolve) => setTimeout(resolve, 1_000));'],
    ['test/speed.proof.test.ts', sleeping('const startedAt = performance.now(); await sleep(50);')],
    ['test/crash/load.ts', sleeping('await sleep(50);')],
    ['test/proof/soak/load.ts', 'const { rss } = process.memoryUsage();'],
    ['src/platform/clock.ts', 'export const now = () => performance.now();'],
  ];
}

function sleeping(text: string): string {
  return `import { setTimeout as sleep } from 'node:timers/promises'; ${text}`;
}
