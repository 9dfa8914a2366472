import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FieldValue } from '../../../src/documents/schema/field-value.js';
import { nestValues } from '../../../src/documents/schema/nested-values.js';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import { formatPath } from '../../../src/documents/schema/value-path.js';

describe('values by path', () => {
  it('become an object of the form of the schema', () => {
    const values = nest({
      'tags[1]': 'b',
      'lines[1].taxes[0]': 19,
      'supplier.name': 'ACME',
      'tags[0]': 'a',
      'lines[0].amount': 5.5,
    });

    expect(values).toEqual({
      number: null,
      supplier: { name: 'ACME', city: null },
      lines: [
        { amount: 5.5, taxes: [] },
        { amount: null, taxes: [19] },
      ],
      tags: ['a', 'b'],
    });
    expect(Object.keys(values)).toEqual(['number', 'supplier', 'lines', 'tags']);
  });

  it('that are none become an object without values', () => {
    expect(nest({})).toEqual({ number: null, supplier: { name: null, city: null }, lines: [], tags: [] });
  });

  it('stay at their index where others before them are missing', () => {
    expect(nest({ 'tags[2]': 'c', 'lines[1].amount': 1 })).toMatchObject({
      tags: [null, null, 'c'],
      lines: [{ amount: null, taxes: [] }, { amount: 1 }],
    });
  });

  it.each([
    ['unknown names', { other: 1, 'supplier.other': 1, 'tags[0].other': 1 }],
    ['what is no path', { 'tags[': 'a', __proto__x: 'a', '': 'a', 'tags[10000]': 'a' }],
    ['what stands in place of an object', { supplier: 'ACME', lines: 'x' }],
    ['members of prototypes', { '__proto__.polluted': 1, 'constructor.prototype.polluted': 1, 'tags.length': 5 }],
  ] as [string, Record<string, FieldValue>][])('leave out %s', (_what, values) => {
    const nested = nest(values);

    expect(nested).toMatchObject({ number: null, supplier: { name: null, city: null }, lines: [] });
    expect(Object.keys(nested)).toHaveLength(4);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('of names that objects inherit are members like others', () => {
    const schema = parseSchema({
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'number' } },
    });

    const nested = nestValues(schema, [
      { path: 'constructor', value: 'a' },
      { path: 'toString', value: 1 },
    ]);

    expect(JSON.stringify(nested)).toBe('{"constructor":"a","toString":1}');
  });

  it('are the leaves of any order, whatever the order of the paths', () => {
    const text = fc.option(fc.string());
    const amount = fc.option(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    );
    const order = fc.record({
      number: text,
      supplier: fc.record({ name: text, city: text }),
      lines: fc.array(fc.record({ amount, taxes: fc.array(amount, { maxLength: 3 }) }), { maxLength: 5 }),
      tags: fc.array(text, { maxLength: 5 }),
    });

    fc.assert(
      fc.property(order, fc.nat(), (wanted, turn) => {
        const leaves = leavesOf(wanted, []);
        const turned = leaves.map((_, index) => leaves[(index + turn) % leaves.length] as (typeof leaves)[number]);

        expect(nestValues(ORDER, turned)).toEqual(wanted);
      }),
      { seed: 16 },
    );
  });
});

const ORDER = parseSchema({
  type: 'object',
  properties: {
    number: { type: 'string' },
    supplier: { type: 'object', properties: { name: { type: 'string' }, city: { type: 'string' } } },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { amount: { type: 'number' }, taxes: { type: 'array', items: { type: 'number' } } },
      },
    },
    tags: { type: 'array', items: { type: 'string' } },
  },
});

function nest(values: Readonly<Record<string, FieldValue>>) {
  return nestValues(
    ORDER,
    Object.entries(values).map(([path, value]) => ({ path, value })),
  );
}

function leavesOf(value: unknown, steps: (string | number)[]): { path: string; value: FieldValue }[] {
  if (typeof value !== 'object' || value === null) return [{ path: formatPath(steps), value: value as FieldValue }];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([step, member]) => leavesOf(member, [...steps, step]));
}
