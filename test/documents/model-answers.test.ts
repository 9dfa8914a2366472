import { describe, expect, it, jest } from '@jest/globals';
import { quotedValuesOf } from '../../src/documents/model/quoted-value.js';
import { CooperativeYield } from '../../src/platform/async/cooperative-yield.js';

const VALUE = { field: 'total', value: 5, quote: 'Total 5.00', page: 1 };

describe('what a model answers about a document', () => {
  it.each<[string, string, number]>([
    ['is read', JSON.stringify({ values: [VALUE] }), 1],
    [
      'is read up to two thousand values',
      JSON.stringify({ values: Array.from({ length: 2_500 }, () => VALUE) }),
      2_000,
    ],
    ['is nothing where it is too long', JSON.stringify({ values: [VALUE], rest: 'x'.repeat(2_000_000) }), 0],
    ['is nothing where it has too many parts', JSON.stringify({ values: [VALUE], rest: Array(20_000).fill({}) }), 0],
    ['is nothing where it is nested too deeply', `{"values":[${JSON.stringify(VALUE)}],"rest":${nested(20)}}`, 0],
    ['is nothing where it is no JSON', 'values: [', 0],
  ])('%s', async (_what, content, count) => {
    const values = await valuesOf(content);

    expect(values).toHaveLength(count);
  });

  it.each([
    ['long', `"${'x'.repeat(2_000_000)}"`],
    ['deep', nested(1_000)],
  ])('is not parsed where it is too %s', async (_what, content) => {
    const parse = jest.spyOn(JSON, 'parse');

    await valuesOf(content);
    const parsed = parse.mock.calls.length;
    parse.mockRestore();

    expect(parsed).toBe(0);
  });
});

async function valuesOf(content: string) {
  const page = { number: 1, origin: 'text', text: 'Total 5.00', lines: [], blocks: [], hasBoxes: false } as const;
  return quotedValuesOf({ choices: [{ message: { content } }] }, [page], new CooperativeYield());
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
