import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallSanitizer } from '../../../src/sanitizer/calls/call-sanitizer.js';
import { newCallSanitizer } from '../../support/builders/call-sanitizer.js';

const SECONDS = /^platform_sanitizer_seconds_total\{direction="(\w+)"\} (\S+)$/gm;

describe('the time that policies have added to calls', () => {
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each<[string, string, Parameters<typeof timeOf>[1]]>([
    ['texts of an answer that are open at once', 'output', (sanitizer) => interleave(sanitizer, ['a', 'b', 'c'])],
    ['an answer that is left before its end', 'output', (sanitizer) => sanitizer.beginAnswer('text').write('a')],
    ['an answer that is blocked', 'output', (sanitizer) => sanitizer.beginAnswer('text').write('a@b.com.')],
    ['a prompt', 'input', (sanitizer) => sanitizer.transformPrompt('Hello', 'text')],
    ['a long prompt', 'input', (sanitizer) => sanitizer.transformPrompt('x'.repeat(1_000), 'text')],
    ['a prompt that is refused', 'input', (sanitizer) => sanitizer.transformPrompt('a@b.com.', 'text')],
    ['a long one', 'input', (sanitizer) => sanitizer.transformPrompt(`${'x '.repeat(500)}a@b.com.`, 'text')],
  ])('is counted once, and all of it: of %s', async (_what, direction, use) => {
    const seconds = await timeOf(blockingSanitizer(), use);

    expect(now).toBeGreaterThan(0);
    expect(seconds[direction]).toBeCloseTo(now / 1_000);
    expect(Object.values(seconds).reduce((sum, value) => sum + value)).toBe(seconds[direction]);
  });

  /** One that blocks addresses of mail, and takes two milliseconds for each piece of a text. */
  function blockingSanitizer() {
    const made = newCallSanitizer('block');
    const begin = made.matcher.scan.bind(made.matcher);
    jest.spyOn(made.matcher, 'scan').mockImplementation(() => {
      const scan = begin();
      const [write, end] = [scan.write.bind(scan), scan.end.bind(scan)];
      const slowly = <T>(step: () => T): T => ((now += 2), step());
      jest.spyOn(scan, 'write').mockImplementation((piece) => slowly(() => write(piece)));
      jest.spyOn(scan, 'end').mockImplementation(() => slowly(end));
      return scan;
    });
    return made;
  }
});

/** Uses a sanitizer, whatever comes of it. @returns by direction: the seconds that are counted then */
async function timeOf(
  { sanitizer, server }: ReturnType<typeof newCallSanitizer>,
  use: (sanitizer: CallSanitizer) => unknown,
): Promise<Record<string, number>> {
  try {
    await use(sanitizer);
  } catch {
    // What is blocked has taken its time, too.
  }
  const series = (await server.text()).matchAll(SECONDS);
  return Object.fromEntries([...series].map(([, direction, value]) => [direction, Number(value)]));
}

function interleave(sanitizer: CallSanitizer, pieces: readonly string[]): void {
  const texts = [sanitizer.beginAnswer('text'), sanitizer.beginAnswer('text'), sanitizer.beginAnswer('text')];
  for (const piece of pieces) for (const text of texts) text.write(piece);
  for (const text of texts) text.end();
}
