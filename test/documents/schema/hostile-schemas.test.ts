import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BadRequest } from '../../../src/errors.js';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import { outlineOf } from '../../support/builders/documents/schemas.js';

describe('a hostile schema', () => {
  it('does not grow beyond 200 fields by references to references', () => {
    const $defs: Record<string, object> = { d0: { type: 'string' } };
    const twenty = (level: number) =>
      Array.from({ length: 20 }, (_, index) => [`f${index}`, { $ref: `#/$defs/d${level}` }]);
    for (let level = 1; level <= 5; level += 1) {
      $defs[`d${level}`] = { type: 'object', properties: Object.fromEntries(twenty(level - 1)) };
    }

    expectRefused({ $ref: '#/$defs/d5', $defs }, /at most 200 fields/);
  });

  it('does not grow by long texts that are referred to', () => {
    const words = { type: 'string', enum: Array.from({ length: 900 }, (_, index) => `${index}`.padEnd(50, 'x')) };
    const fields = Array.from({ length: 150 }, (_, index) => [`f${index}`, { $ref: '#/$defs/words' }]);

    expectRefused(
      { type: 'object', properties: Object.fromEntries(fields), $defs: { words } },
      /at most 262144 characters/,
    );
  });

  it.each([
    ['itself', { a: { $ref: '#/$defs/a' } }],
    ['itself beside null', { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } }],
    ['itself in a property', { a: { type: 'object', properties: { b: { $ref: '#/$defs/a' } } } }],
    ['itself in an array', { a: { type: 'array', items: { $ref: '#/$defs/a' } } }],
    ['another that refers back', { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }],
    ['itself under another spelling', { a: { $ref: '#/$defs/%61' } }],
  ])('has a definition that refers to %s', (_what, $defs) => {
    const properties = { tree: { $ref: '#/$defs/a' } };

    expectRefused({ type: 'object', properties, $defs }, /does not lead back to itself/);
  });

  it('has no chain of references as long as fits in it', () => {
    const chainOf = (length: number) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, { $ref: '#/$defs/d1' }])),
      $defs: Object.fromEntries([
        ...Array.from({ length: length - 1 }, (_, index) => [`d${index + 1}`, { $ref: `#/$defs/d${index + 2}` }]),
        [`d${length}`, { type: 'string' }],
      ]),
    });

    expect(parseSchema(chainOf(10)).fieldCount).toBe(150);
    expectRefused(chainOf(1_500), /at most 2000 schemas/);
  });

  it('has no long way to its types, whatever it is made of', () => {
    const nullable = (levels: number, end: object): object =>
      levels === 0 ? end : { anyOf: [nullable(levels - 1, end), { type: 'null' }] };
    const fieldsOf = (property: object) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, property]));
    const levels = Array.from({ length: 31 }, (_, index) => [
      `d${index}`,
      nullable(20, { $ref: `#/$defs/d${index + 1}` }),
    ]);
    const $defs = { ...Object.fromEntries(levels), d31: { type: 'string' } };
    const labels = { label: { type: 'string', 'x-labels': Array.from({ length: 10_000 }, () => 'a') } };

    expectRefused({ type: 'object', properties: fieldsOf({ $ref: '#/$defs/d0' }), $defs }, /at most 2000 schemas/);
    expectRefused({ type: 'object', properties: fieldsOf({ $ref: '#/$defs/label' }), $defs: labels }, /20 labels/);
  });

  it('is refused for thousands of properties, of values and of required names in little time', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(many.map((name) => [name, {}]));
    const enumeration = { type: 'object', properties: { a: { enum: many } } };
    const required = { type: 'object', properties: { a: { type: 'string' } }, required: many };

    expectRefused({ type: 'object', properties }, /"type"/);
    expectRefused(enumeration, /1 to 1000 values/);
    expectRefused(required, /\/required\/0/);
  });

  it('is refused where it is nested six names deep, whether directly, by references or in arrays', () => {
    const nested = (names: number): object =>
      names === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(names - 1) } };
    const listed = (names: number): object =>
      names === 0
        ? { type: 'string' }
        : { type: 'object', properties: { a: { type: 'array', items: listed(names - 1) } } };
    const $defs = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((level) => [
        `d${level}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/d${level - 1}` } } },
      ]),
    );

    expectRefused(nested(6), /5 names deep/);
    expectRefused(listed(6), /5 names deep/);
    expectRefused({ $ref: '#/$defs/d6', $defs: { ...$defs, d0: { type: 'string' } } }, /5 names deep/);
    expect(outlineOf(parseSchema(listed(5))).at(-1)).toBe('a[].a[].a[].a[].a[] string!');
  });

  it('may have names that objects inherit, and they are fields like others', () => {
    const properties = {
      constructor: { type: 'string' },
      toString: { type: 'object', properties: { valueOf: { type: 'number' } } },
    };

    const schema = parseSchema({ type: 'object', properties, required: ['constructor'] });

    expect(outlineOf(schema)).toEqual(['constructor string!', 'toString object', 'toString.valueOf number']);
  });

  it('of any form is read, or refused with a reason', () => {
    const outcomes = { read: 0, refused: 0 };

    fc.assert(
      fc.property(anySchema(), (schema) => {
        try {
          expect(parseSchema(schema).root.kind).toBe('object');
          outcomes.read += 1;
        } catch (error) {
          if (!(error instanceof BadRequest)) throw error;
          expect(error.message).toMatch(/^schema .{10,}$/s);
          outcomes.refused += 1;
        }
      }),
      { seed: 16, numRuns: 3_000 },
    );
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(100);
  });

  it('does not read what it inherits', () => {
    const schema: unknown = JSON.parse('{"__proto__": {"type": "object", "properties": {"a": {"type": "string"}}}}');

    expectRefused(schema, /at "\/__proto__"|"type"/);
  });
});

function expectRefused(schema: unknown, message: RegExp): void {
  expect(() => parseSchema(schema)).toThrow(message);
}

/** Objects of the keywords of JSON Schema, most of them with values of the right form. */
function anySchema(): fc.Arbitrary<unknown> {
  const name = fc.constantFrom('a', 'b', 'constructor', '__proto__', 'x.y', '');
  const scalar = fc.constantFrom('string', 'number', 'integer', 'boolean');
  const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
  const { root } = fc.letrec<{ root: unknown; schema: unknown; object: unknown; leaf: unknown }>((tie) => ({
    leaf: fc.oneof(
      { weight: 9, arbitrary: fc.record({ type: scalar, title: fc.string() }, { requiredKeys: ['type'] }) },
      fc.record({ type }),
      fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }) }),
      fc.record({ $ref: name.map((text) => `#/$defs/${text}`) }),
      fc.record(
        { type: fc.array(type, { maxLength: 2 }), format: fc.constantFrom('date', 'email') },
        { requiredKeys: ['type'] },
      ),
    ),
    object: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b') }, name), tie('schema'), {
          minKeys: 1,
          maxKeys: 3,
        }),
        required: fc.array(name, { maxLength: 1 }),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    schema: fc.oneof(
      { maxDepth: 8 },
      { weight: 4, arbitrary: tie('leaf') },
      { weight: 3, arbitrary: tie('object') },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('array'), items: tie('schema') }) },
      { weight: 2, arbitrary: fc.record({ anyOf: fc.tuple(tie('schema'), fc.constant({ type: 'null' })) }) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    ),
    root: fc
      .tuple(
        fc.oneof({ weight: 9, arbitrary: tie('object') }, tie('schema')),
        fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      )
      .map(([schema, $defs]) => (typeof schema === 'object' && !Array.isArray(schema) ? { ...schema, $defs } : schema)),
  }));
  return root;
}
