import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import { outlineOf } from '../../support/builders/documents/schemas.js';

describe('a schema', () => {
  it('has fields of every kind, in its order', () => {
    const schema = parseSchema({
      type: 'object',
      properties: {
        name: { type: 'string' },
        total: { type: 'number' },
        count: { type: 'integer' },
        isPaid: { type: 'boolean' },
        issued: { type: 'string', format: 'date' },
        supplier: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        tags: { type: 'array', items: { type: 'string' } },
        lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
      },
      required: ['total', 'lines'],
    });

    expect(outlineOf(schema)).toEqual([
      'name string',
      'total number!',
      'count integer',
      'isPaid boolean',
      'issued date',
      'supplier object',
      'supplier.city string!',
      'tags array',
      'tags[] string!',
      'lines array!',
      'lines[] object!',
      'lines[].amount number',
    ]);
    expect(schema.fieldCount).toBe(10);
  });

  it('does not change any more', () => {
    const { root } = parseSchema({ type: 'object', properties: { a: { enum: ['x'], title: 'A' } } });
    const [field] = root.fields ?? [];

    expect([root, root.fields, field, field?.labels, field?.options].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    ['a type list', { type: ['string', 'null'] }, 'a string?'],
    ['a type list that begins with null', { type: ['null', 'number'] }, 'a number?'],
    ['a type list of a date', { type: ['string', 'null'], format: 'date' }, 'a date?'],
    ['anyOf with null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'a integer?'],
    ['anyOf that begins with null', { anyOf: [{ type: 'null' }, { type: 'boolean' }] }, 'a boolean?'],
    ['anyOf of anyOf', { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'null' }] }, 'a string?'],
    ['an enum of texts', { enum: ['x', 'y'] }, 'a string "x"|"y"'],
    ['an enum of integers', { enum: [1, 2] }, 'a integer 1|2'],
    ['an enum of numbers', { enum: [1, 2.5] }, 'a number 1|2.5'],
    ['an enum of booleans', { enum: [true] }, 'a boolean true'],
    ['an enum with null and without a type', { enum: ['x', null] }, 'a string? "x"'],
    ['an enum with null and a type list', { type: ['string', 'null'], enum: ['x', null] }, 'a string? "x"'],
    ['an enum without null and a type list', { type: ['string', 'null'], enum: ['x'] }, 'a string "x"'],
    ['an enum with null that its type does not allow', { type: 'string', enum: ['x', null] }, 'a string "x"'],
    ['an enum with a value twice', { enum: ['x', 'y', 'x'] }, 'a string "x"|"y"'],
    ['an enum of days', { type: 'string', format: 'date', enum: ['2026-02-28'] }, 'a date "2026-02-28"'],
    ['a const', { const: 7 }, 'a integer 7'],
    ['a const in an enum', { type: 'string', enum: ['x', 'y'], const: 'x' }, 'a string "x"'],
    [
      'annotations',
      { type: 'string', default: { any: 1 }, examples: [1], deprecated: true, $comment: 'c' },
      'a string',
    ],
    ['bounds of a safe integer', { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }, 'a integer'],
  ])('takes %s', (_what, property, outline) => {
    const schema = parseSchema({ type: 'object', properties: { a: property } });

    expect(outlineOf(schema)).toEqual([outline]);
  });

  it('takes labels from title and x-labels, without blanks and repetitions', () => {
    const { root } = parseSchema({
      type: 'object',
      properties: {
        a: { type: 'string', title: ' Invoice\nnumber ', 'x-labels': ['No.', '', 'Invoice number', 'No.'] },
        b: { type: 'string', 'x-labels': 'Total', description: ' All of it. ' },
        c: { type: 'string', title: '', description: '' },
      },
    });

    const hints = root.fields?.map(({ labels, description }) => [labels, description]);
    expect(hints).toEqual([
      [['Invoice number', 'No.'], undefined],
      [['Total'], 'All of it.'],
      [[], undefined],
    ]);
  });

  it('follows references, and takes hints from both ends with those of the field first', () => {
    const schema = parseSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/In~1voice%20~0',
      $defs: {
        'In/voice ~': {
          type: 'object',
          properties: { from: { $ref: '#/$defs/Party', title: 'Sender' }, to: { $ref: '#/$defs/Party' } },
        },
        Party: { type: 'object', title: 'Party', description: 'A company.', properties: { name: { type: 'string' } } },
        unused: { anything: 'goes' },
      },
    });

    expect(outlineOf(schema)).toEqual(['from object', 'from.name string', 'to object', 'to.name string']);
    expect(schema.root.fields?.map(({ labels, description }) => [labels, description])).toEqual([
      [['Sender', 'Party'], 'A company.'],
      [['Party'], 'A company.'],
    ]);
  });

  it('has as many levels and fields as it may', () => {
    const nested = (names: number): object =>
      names === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(names - 1) } };
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'string' }])),
    };

    expect(outlineOf(parseSchema(nested(5))).at(-1)).toBe('a.a.a.a.a string');
    expect(parseSchema(wide).fieldCount).toBe(200);
  });
});

describe('what libraries write', () => {
  it('is taken from zod', () => {
    const address = z
      .object({ street: z.string(), city: z.string().nullable() })
      .meta({ id: 'Address', title: 'Address' });
    const invoice = z.strictObject({
      number: z.string().meta({ title: 'Invoice number', 'x-labels': ['No.'], examples: ['A-1'] }),
      issued: z.iso.date().describe('The day of issue.'),
      due: z.iso.date().nullish(),
      count: z.int(),
      position: z.int().nullable(),
      rate: z.number().default(19),
      status: z.enum(['open', 'paid']).nullable(),
      kind: z.literal('invoice'),
      scale: z.literal([1, 2]),
      isPaid: z.boolean().readonly(),
      supplier: address,
      customer: address.optional(),
      lines: z.array(z.object({ description: z.string(), amount: z.number() })),
      tags: z.array(z.string()),
    });

    const schemas = [z.toJSONSchema(invoice), z.toJSONSchema(invoice, { io: 'input', reused: 'ref' })].map(parseSchema);

    const common = ['number string!', 'issued date!', 'due date?', 'count integer!', 'position integer?!'];
    const others = [
      'status string?! "open"|"paid"',
      'kind string! "invoice"',
      'scale number! 1|2',
      'isPaid boolean!',
      'supplier object!',
      'supplier.street string!',
      'supplier.city string?!',
      'customer object',
      'customer.street string!',
      'customer.city string?!',
      'lines array!',
      'lines[] object!',
      'lines[].description string!',
      'lines[].amount number!',
      'tags array!',
      'tags[] string!',
    ];
    expect(schemas.map(outlineOf)).toEqual([
      [...common, 'rate number!', ...others],
      [...common, 'rate number', ...others],
    ]);
    expect(schemas[0]?.root.fields?.[0]?.labels).toEqual(['Invoice number', 'No.']);
  });

  it('is taken from pydantic', () => {
    const written = readFileSync(new URL('./pydantic/invoice.json', import.meta.url), 'utf8');

    const schema = parseSchema(JSON.parse(written));

    expect(outlineOf(schema)).toEqual([
      'number string!',
      'issued date!',
      'due date?',
      'status string "open"|"paid"',
      'former_status string? "open"|"paid"',
      'kind string "invoice"',
      'supplier object!',
      'supplier.name string!',
      'supplier.address object!',
      'supplier.address.street string!',
      'supplier.address.city string?',
      'customer object?',
      'customer.name string!',
      'customer.address object!',
      'customer.address.street string!',
      'customer.address.city string?',
      'tags array',
      'tags[] string!',
      'lines array!',
      'lines[] object!',
      'lines[].description string!',
      'lines[].quantity object!',
      'lines[].quantity.value number!',
      'lines[].quantity.unit string "h"|"pc"',
      'lines[].position integer?',
      'total number!',
      'is_paid boolean',
    ]);
    expect(schema.root.fields?.[0]?.labels).toEqual(['Number', 'Invoice no.', 'Bill no.']);
  });
});
