import { describe, expect, it } from '@jest/globals';
import { requireFieldValue } from '../../../src/documents/schema/field-value.js';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import type { SchemaField } from '../../../src/documents/schema/schema.types.js';
import { findField, parsePath } from '../../../src/documents/schema/value-path.js';

describe('a value', () => {
  it.each([
    ['text', 'Größe 😀\n'],
    ['text', ''],
    ['text', 'x'.repeat(10_000)],
    ['number', -12.5],
    ['number', 0],
    ['integer', 9_007_199_254_740_991],
    ['flag', false],
    ['day', '2024-02-29'],
    ['day', '0001-01-01'],
    ['day', '9999-12-31'],
    ['status', 'paid'],
    ['scale', 2],
    ['nullable', null],
    ['nullableStatus', null],
    ['tags[0]', 'urgent'],
    ['address.city', 'Bonn'],
  ])('fits %s: %j', (path, value) => {
    expect(requireFieldValue(fieldOf(path), value)).toBe(value);
  });

  it.each([
    ['text', 1, 'a text of at most 10000 characters'],
    ['text', 'x'.repeat(10_001), 'a text of at most 10000 characters'],
    ['text', 'a\0b', 'without NUL'],
    ['text', '\ud800', 'Unicode'],
    ['text', undefined, 'a text'],
    ['number', '1', 'a number'],
    ['number', Number.NaN, 'a number'],
    ['number', Number.POSITIVE_INFINITY, 'a number'],
    ['number', [1], 'a number'],
    ['integer', 1.5, 'an integer between -9007199254740991 and 9007199254740991'],
    ['integer', 9_007_199_254_740_992, 'an integer between'],
    ['flag', 0, 'true or false'],
    ['flag', 'true', 'true or false'],
    ['day', '2026-02-29', '"YYYY-MM-DD"'],
    ['day', '2026-13-01', '"YYYY-MM-DD"'],
    ['day', '2026-1-1', '"YYYY-MM-DD"'],
    ['day', '0000-01-01', '"YYYY-MM-DD"'],
    ['day', '2026-01-01T00:00:00Z', '"YYYY-MM-DD"'],
    ['day', '2026-01-01\n', '"YYYY-MM-DD"'],
    ['status', 'Open', 'one of "open", "paid"'],
    ['scale', '1', 'one of 1, 2'],
    ['only', 'bill', 'value must be "invoice".'],
    ['nullable', 'x', 'a number or null'],
    ['nullableStatus', 'x', 'one of "open", "paid", null'],
    ['text', { toString: 'x' }, 'a text'],
  ] as [string, unknown, string][])('does not fit %s: %j', (path, value, expected) => {
    const error = { status: 400, details: { param: 'value' }, message: expect.stringContaining(expected) };

    expect(() => requireFieldValue(fieldOf(path), value)).toThrow(expect.objectContaining(error));
  });

  it.each([
    ['address', {}],
    ['address', null],
    ['tags', ['a']],
  ])('is not taken for %s as a whole', (path, value) => {
    expect(() => requireFieldValue(fieldOf(path), value)).toThrow(/name one of the fields in it/);
  });

  it('may be null where its object need not have it, and not where it must', () => {
    const properties = { must: { type: 'string' }, may: { type: 'string' } };
    const schema = parseSchema({ type: 'object', properties, required: ['must'] });
    const [must, may] = schema.root.fields as [SchemaField, SchemaField];

    expect(requireFieldValue(may, null)).toBeNull();
    expect(() => requireFieldValue(must, null)).toThrow('value must be a text');
    expect(() => requireFieldValue(must, null)).not.toThrow('null');
  });

  it('is told what is possible in few words, however many options there are', () => {
    const options = Array.from({ length: 900 }, (_, index) => `${index}`.padEnd(60, 'x'));
    const { root } = parseSchema({ type: 'object', properties: { a: { enum: options } } });

    const refusal = () => requireFieldValue(root.fields?.[0] as SchemaField, 'other');

    expect(refusal).toThrow(/ 890 others, null\.$/);
    expect(refusal).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{10,900}$/) }));
  });
});

const ALL_KINDS = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  day: { type: 'string', format: 'date' },
  status: { enum: ['open', 'paid'] },
  scale: { enum: [1, 2] },
  only: { const: 'invoice' },
  nullable: { type: ['number', 'null'] },
  nullableStatus: { enum: ['open', 'paid', null] },
  address: { type: 'object', properties: { city: { type: 'string' } } },
  tags: { type: 'array', items: { type: 'string' } },
};

function fieldOf(path: string): SchemaField {
  const names = Object.keys(ALL_KINDS);
  const schema = parseSchema({ type: 'object', properties: ALL_KINDS, required: names });
  return findField(schema, parsePath(path) ?? []) as SchemaField;
}
