import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BadRequest } from '../../../src/errors.js';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';

describe('a property that is not taken', () => {
  it.each([
    ['pattern', { type: 'string', pattern: '^A' }, '/pattern', /"description".*"enum"/],
    [
      'a pattern of a date that is not the one of a date',
      { type: 'string', format: 'date', pattern: '^2' },
      '/pattern',
      /texts/,
    ],
    ['another format', { type: 'string', format: 'email' }, '/format', /"date"/],
    ['a format of a number', { type: 'number', format: 'date' }, '/format', /of a "string"/],
    ['minimum', { type: 'number', minimum: 0 }, '/minimum', /no bounds/],
    ['another bound of an integer', { type: 'integer', minimum: 0, maximum: 2 ** 53 - 1 }, '/minimum', /safe integer/],
    ['the bounds of an int32', { type: 'integer', maximum: 2 ** 31 - 1 }, '/maximum', /safe integer/],
    ['minLength', { type: 'string', minLength: 1 }, '/minLength', /texts are not constrained/],
    ['oneOf', { oneOf: [{ type: 'string' }] }, '/oneOf', /one type and null/],
    ['allOf', { allOf: [{ type: 'string' }] }, '/allOf', /one type and null/],
    ['allOf beside a type', { type: 'string', allOf: [] }, '/allOf', /one type and null/],
    ['not', { not: {} }, '/not', /one type and null/],
    ['anyOf of two types', { anyOf: [{ type: 'string' }, { type: 'number' }] }, '/anyOf', /two members/],
    ['anyOf of three', { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'null' }] }, '/anyOf', /two members/],
    ['anyOf of nulls', { anyOf: [{ type: 'null' }, { type: 'null' }] }, '/anyOf', /two members/],
    ['anyOf that is no list', { anyOf: 'string' }, '/anyOf', /two members/],
    ['anyOf beside a type', { type: 'string', anyOf: [{ type: 'string' }, { type: 'null' }] }, '/type', /./],
    ['no type', {}, '', /"type": object, array/],
    ['a schema that is true', true, '', /an object/],
    ['another type', { type: 'file' }, '/type', /one of object, array, string/],
    ['null alone', { type: 'null' }, '/type', /one of object/],
    ['two types', { type: ['string', 'number'] }, '/type', /"null"/],
    ['the same type twice', { type: ['string', 'string'] }, '/type', /"null"/],
    ['an empty type list', { type: [] }, '/type', /one of object/],
    ['a type that is an inherited member', { type: 'constructor' }, '/type', /one of object/],
    ['values of two types', { enum: ['a', 1] }, '/enum', /one type/],
    ['values that are not of the type', { type: 'integer', enum: [1, 2.5] }, '/enum', /one type/],
    ['a day that there is not', { type: 'string', format: 'date', const: '2026-02-29' }, '/const', /date/],
    ['objects in an enum', { enum: [{}] }, '/enum', /one type/],
    ['an enum of null', { enum: [null] }, '/enum', /one type/],
    ['an empty enum', { enum: [] }, '/enum', /1 to 1000/],
    ['an enum that is no list', { enum: 'a' }, '/enum', /1 to 1000/],
    ['a const that its enum has not', { enum: ['a'], const: 'b' }, '/enum', /"const"/],
    ['an enum of an object', { type: 'object', enum: [{}] }, '/enum', /texts, numbers/],
    ['an object without properties', { type: 'object' }, '/properties', /one at least/],
    ['an object with no property', { type: 'object', properties: {} }, '/properties', /one at least/],
    ['properties that are a list', { type: 'object', properties: ['a'] }, '/properties', /one at least/],
    ['properties of a text', { type: 'string', properties: {} }, '/properties', /an "object"/],
    ['patternProperties', { type: 'object', patternProperties: {} }, '/patternProperties', /"properties"/],
    [
      'a schema of additional properties',
      { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: {} },
      '/additionalProperties',
      /true or false/,
    ],
    ['an array without items', { type: 'array' }, '/items', /"items"/],
    [
      'an array of arrays',
      { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      '/items',
      /no other arrays/,
    ],
    ['prefixItems', { type: 'array', prefixItems: [] }, '/prefixItems', /"items"/],
    ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }, '/uniqueItems', /"items"/],
    [
      'required that is no list',
      { type: 'object', properties: { b: { type: 'string' } }, required: true },
      '/required',
      /list of names/,
    ],
    [
      'required that names no property',
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b', 'c'] },
      '/required/1',
      /one of the "properties"/,
    ],
    [
      'required that names an inherited member',
      { type: 'object', properties: { b: { type: 'string' } }, required: ['toString'] },
      '/required/0',
      /one of the "properties"/,
    ],
    [
      'required that names a property twice',
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b', 'b'] },
      '/required/1',
      /at most once/,
    ],
    ['a title that is no text', { type: 'string', title: 1 }, '/title', /text/],
    ['a description that is too long', { type: 'string', description: 'x'.repeat(2_001) }, '/description', /2000/],
    ['a label that is no text', { type: 'string', 'x-labels': ['a', null] }, '/x-labels/1', /text/],
    ['labels that are an object', { type: 'string', 'x-labels': {} }, '/x-labels', /text/],
    [
      'too many labels',
      { type: 'string', 'x-labels': Array.from({ length: 21 }, (_, i) => `l${i}`) },
      '/x-labels',
      /20 labels/,
    ],
    ['a foreign reference', { $ref: 'https://example.com/schema.json' }, '/$ref', /#\/\$defs\/name/],
    ['a reference to the root', { $ref: '#' }, '/$ref', /#\/\$defs\/name/],
    ['a reference to a property', { $ref: '#/properties/a' }, '/$ref', /#\/\$defs\/name/],
    ['a reference into a definition', { $ref: '#/$defs/x/properties/y' }, '/$ref', /#\/\$defs\/name/],
    ['a reference that is no text', { $ref: 1 }, '/$ref', /#\/\$defs\/name/],
    ['a reference with a broken escape', { $ref: '#/$defs/%E0' }, '/$ref', /#\/\$defs\/name/],
    ['a reference to nothing', { $ref: '#/$defs/x' }, '/$ref', /no such definition/],
    ['a reference to an inherited member', { $ref: '#/$defs/constructor' }, '/$ref', /no such definition/],
    ['a type beside a reference', { $ref: '#/$defs/x', type: 'string' }, '/type', /./],
    ['definitions that are not at the root', { type: 'string', $defs: {} }, '/$defs', /of the root/],
    ['$schema that is not at the root', { type: 'string', $schema: 'x' }, '/$schema', /at the root/],
    ['an unknown keyword', { type: 'string', foo: 1 }, '/foo', /not known/],
  ] as [string, unknown, string, RegExp][])('is %s', (_what, property, pointer, advice) => {
    const error = refusalOf({ type: 'object', properties: { 'a/b~c': property } });

    expect(error).toMatchObject({ status: 400, details: { param: 'schema' } });
    expect(error.message).toContain(`at "/properties/a~1b~0c${pointer}": `);
    expect(error.message).toMatch(advice);
  });
});

describe('a schema that is not taken', () => {
  it.each([
    ['no object', 'text', /must be a JSON object/],
    ['a list', [], /must be a JSON object/],
    ['an array', { type: 'array', items: { type: 'string' } }, /at "":.*"object"/],
    [
      'an object that may be null',
      { type: ['object', 'null'], properties: { a: { type: 'string' } } },
      /at "":.*"object"/,
    ],
    [
      'of another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      /at "\/\$schema".*2020-12/,
    ],
    ['with definitions that are a list', { $defs: [] }, /at "\/\$defs".*by name/],
    ['definitions under another name', { type: 'object', definitions: {} }, /at "\/definitions".*"\$defs"/],
    [
      'too large',
      { type: 'object', properties: { a: { type: 'string', default: 'ü'.repeat(40_000) } } },
      /65536 bytes/,
    ],
    [
      'too deep in a default',
      { type: 'object', default: JSON.parse('['.repeat(100) + ']'.repeat(100)) },
      /deeper than 64/,
    ],
    ['with NUL in a default', { type: 'object', default: '\0' }, /cannot be stored/],
    ['with half of a character', { type: 'object', title: '\ud800' }, /cannot be stored/],
  ])('is %s', (_what, schema, message) => {
    expect(refusalOf(schema).message).toMatch(message);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['with a dot', 'a.b'],
    ['with a bracket', 'a[0'],
    ['with a closing bracket', 'a]'],
    ['with a control character', 'a\u0007'],
    ['with a line break', 'a\nb'],
    ['what others inherit from', '__proto__'],
  ])('has a name that is %s', (_what, name) => {
    const properties: unknown = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`);

    expect(refusalOf({ type: 'object', properties }).message).toMatch(/a name has 1 to 200 characters/);
  });

  it('is what zod writes for what cannot be told of a document', () => {
    const refused = [
      z.email(),
      z.union([z.string(), z.number()]),
      z.record(z.string(), z.string()),
      z.any(),
      z.tuple([z.string()]),
    ];

    for (const type of refused) expect(() => parseSchema(z.toJSONSchema(z.object({ a: type })))).toThrow(BadRequest);
  });

  it('is told in a message of bounded length', () => {
    const error = refusalOf({ type: 'object', properties: { ['/'.repeat(30_000)]: {} } });

    expect(error.message.length).toBeLessThan(600);
  });
});

function refusalOf(schema: unknown): BadRequest {
  try {
    parseSchema(schema);
  } catch (error) {
    if (error instanceof BadRequest) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}
