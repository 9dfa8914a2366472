import { describe, expect, it } from '@jest/globals';
import { parseLenientJson } from '../../../src/inference/speech/lenient-json.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

describe('parseLenientJson', () => {
  it('has null for numbers that are none, outside of texts', () => {
    const text = '{"a":NaN,"b":[-Infinity,Infinity,-1],"c":"NaN \\" -Infinity","NaN":"\\\\"}';

    expect(parseLenientJson(Buffer.from(text))).toEqual({
      a: null,
      b: [null, null, -1],
      c: 'NaN " -Infinity',
      NaN: '\\',
    });
  });

  it.each([
    ['no object', '[NaN]'],
    ['a text without its end', '{"a":NaN,"b":"c'],
    ['a text that ends in a backslash', '{"a":NaN,"b":"c\\'],
    ['something else', '{"a":NaN,"b":nothing}'],
  ])('is undefined for %s', (_, text) => {
    expect(parseLenientJson(Buffer.from(text))).toBeUndefined();
  });

  it('reads numbers that are none in answers up to 4 MiB alone', () => {
    const long = 'a'.repeat(4 * 1024 * 1024);

    expect(parseLenientJson(Buffer.from(`{"a":"${long}","b":1}`))).toMatchObject({ b: 1 });
    expect(parseLenientJson(Buffer.from(`{"a":"${long}","b":NaN}`))).toBeUndefined();
  });

  it.each([
    ['escaped quotes', '{"a":NaN,"b":"', '\\"', 480_000],
    ['quotes', '{"a":NaN,"b":', '"', 480_001],
    ['signs', '{"a":NaN,"b":', '-', 2_000_000],
    ['beginnings', '{"a":NaN,"b":', '-Infinit', 400_000],
  ])('takes time in proportion to the length of an answer of %s', async (_, head, part, count) => {
    const growth = await cpuGrowth(count, (length) => Buffer.from(head + part.repeat(length)), parseLenientJson);

    expect(growth).toBeLessThan(IN_PROPORTION);
  });
});
