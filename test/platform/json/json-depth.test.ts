import { describe, expect, it } from '@jest/globals';
import { findExcess, isDeeperThan } from '../../../src/platform/json/json-depth.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

describe('the depth of JSON', () => {
  const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const objects = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + 'null' + '}'.repeat(levels));

  it.each([
    ['a text', 'a', 0, false],
    ['null', null, 0, false],
    ['a list at the limit', lists(65), 64, false],
    ['a list beyond it', lists(66), 64, true],
    ['an object at the limit', objects(65), 64, false],
    ['an object beyond it', objects(66), 64, true],
    ['the last of many members', { a: 1, b: [], c: { d: [[]] } }, 2, true],
    ['what costs a stack', lists(50_000), 64, true],
  ] as [string, unknown, number, boolean][])('is known of %s', (_what, value, limit, expected) => {
    expect(isDeeperThan(limit, value)).toBe(expected);
  });

  it('is known of millions of numbers in time in proportion to their count', async () => {
    const growth = await cpuGrowth(
      1_000,
      (length) => Array.from({ length }, () => Array.from({ length: 2_000 }, () => 0.5)),
      (data) => expect(isDeeperThan(64, { data })).toBe(false),
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it.each([
    ['texts with brackets', JSON.stringify({ a: '[[[[{{{{::::"\\', b: ['\\\\', '"['] }), undefined],
    ['many numbers', JSON.stringify(Array.from({ length: 1_001 }, () => 1)), undefined],
    ['too many numbers', JSON.stringify(Array.from({ length: 1_002 }, () => 1)), 'items'],
    ['many members', JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, 1]))), 'nodes'],
    ['many lists', JSON.stringify(Array.from({ length: 21 }, () => [])), 'nodes'],
    ['texts with commas', JSON.stringify(['a,,,,,,,,,,\\",', 'é,,,,,,,,,,']), undefined],
    ['deep lists', `${'['.repeat(6)}${']'.repeat(6)}`, 'depth'],
    ['what is no JSON', ']]]}}}"', undefined],
  ])('is known of a text before it is parsed: %s', (_what, text, excess) => {
    expect(findExcess(Buffer.from(text), { depth: 5, nodes: 20, items: 1_000 })).toBe(excess);
  });
});
