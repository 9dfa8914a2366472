import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import { findField, formatPath, parsePath } from '../../../src/documents/schema/value-path.js';

describe('a path', () => {
  it.each([
    ['total', ['total']],
    ['supplier.name', ['supplier', 'name']],
    ['line_items[3].amount', ['line_items', 3, 'amount']],
    ['a[0].b[9999]', ['a', 0, 'b', 9_999]],
    ['Größe in m²', ['Größe in m²']],
    ['constructor.toString[0]', ['constructor', 'toString', 0]],
    ['-1', ['-1']],
  ])('is read: %s', (text, steps) => {
    expect(parsePath(text)).toEqual(steps);
    expect(formatPath(steps)).toBe(text);
  });

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a]',
    'a[]',
    'a[-1]',
    'a[01]',
    'a[1.5]',
    'a[1e3]',
    'a[10000]',
    'a[99999999999999999999]',
    'a[ 1]',
    'a[٣]',
    'a[0][1]',
    'a[0]b',
    '[0]',
    'a.[0]',
    '__proto__',
    'a.__proto__.b',
    'a\0',
    'a\n.b',
    '\ud800',
    'x'.repeat(201),
    'a.'.repeat(100_000),
    `${'['.repeat(100_000)}`,
    `a${'[0]'.repeat(100_000)}`,
  ])('is none: %j', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });

  it('is read as it was written, and written as it was read, for names of any kind', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
      .filter((text) => text !== '__proto__' && !/[.[\]\p{Cc}\p{Cs}]/u.test(text));
    const level = fc.tuple(name, fc.option(fc.nat(9_999), { nil: undefined }));

    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 5 }), (levels) => {
        const steps = levels.flatMap(([text, index]) => (index === undefined ? [text] : [text, index]));

        expect(parsePath(formatPath(steps))).toEqual(steps);
      }),
      { seed: 16 },
    );
  });

  it('that is read from any text is written as that text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '[', ']', '0', '1', '9', ' ') });

    fc.assert(
      fc.property(text, (written) => {
        const steps = parsePath(written);

        expect(steps === undefined ? written : formatPath(steps)).toBe(written);
      }),
      { seed: 16, numRuns: 2_000 },
    );
  });
});

describe('the field of a path', () => {
  const line = { type: 'object', properties: { amount: { type: 'number' } } };
  const schema = parseSchema({
    type: 'object',
    properties: {
      supplier: { type: 'object', properties: { name: { type: 'string' } } },
      line_items: { type: 'array', items: line },
      tags: { type: 'array', items: { type: 'string' } },
      constructor: { type: 'boolean' },
    },
  });

  it.each([
    ['supplier', 'object'],
    ['supplier.name', 'string'],
    ['line_items', 'array'],
    ['line_items[3]', 'object'],
    ['line_items[9999].amount', 'number'],
    ['tags[0]', 'string'],
    ['constructor', 'boolean'],
  ])('is found: %s', (path, kind) => {
    expect(findField(schema, parsePath(path) ?? [])?.kind).toBe(kind);
  });

  it.each(['supplier.city', 'supplier[0]', 'line_items.amount', 'tags[0].x', 'name', 'toString', 'tags.length'])(
    'is not found: %s',
    (path) => {
      expect(findField(schema, parsePath(path) ?? ['?'])).toBeUndefined();
    },
  );

  it.each([[['tags', 10_000]], [['tags', -1]], [['tags', 0.5]], [['tags', Number.NaN]], [[0]]])(
    'is not found at steps that no text has: %j',
    (steps) => {
      expect(findField(schema, steps)).toBeUndefined();
    },
  );
});
