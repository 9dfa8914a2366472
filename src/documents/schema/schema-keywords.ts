import type { BadRequest } from '../../errors.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { FieldKind } from './schema.types.js';
import { pointerTo, schemaProblem } from './schema-problem.js';

/** Say something about a field, and constrain nothing. */
const ANNOTATIONS = [
  'title',
  'description',
  'x-labels',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];

/** Stand at the root alone. */
const ROOT = ['$schema', '$defs'];

const CHOICE = ['type', 'enum', 'const'];

const OF_KIND: Readonly<Record<FieldKind, readonly string[]>> = {
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items'],
  string: [...CHOICE, 'format'],
  date: [...CHOICE, 'format', 'pattern'],
  number: CHOICE,
  integer: [...CHOICE, 'minimum', 'maximum'],
  boolean: CHOICE,
};

/** What may stand in a schema, by what it is: a kind of field, a reference, a choice between a schema and null. */
const TAKEN = { ...OF_KIND, $ref: ['$ref'], anyOf: ['anyOf'], untyped: Object.values(OF_KIND).flat() };

const ADVICE: readonly (readonly [string, readonly string[]])[] = [
  [
    'texts are not constrained; say in "description" what they look like, or list the values in "enum".',
    ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ],
  ['the only "format" is "date", of a "string".', ['format']],
  [
    'numbers have no bounds but those of a safe integer, of an "integer"; say in "description" what is possible.',
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [
    'a field is of one type, or of one type and null: "anyOf" with one schema and {"type": "null"}, or a list of types.',
    ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'discriminator', 'nullable'],
  ],
  [
    'an "object" has "properties" with their names, "required", and "additionalProperties" as true or false.',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'unevaluatedProperties',
      'minProperties',
      'maxProperties',
      'dependentRequired',
      'dependentSchemas',
    ],
  ],
  [
    'an "array" has "items", one schema for all that it holds, and no bounds.',
    ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ],
  [
    'definitions stand in "$defs" of the root, and {"$ref": "#/$defs/name"} refers to them.',
    ['$defs', 'definitions', '$id', 'id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$ref', '$vocabulary'],
  ],
  ['"$schema" stands at the root.', ['$schema']],
  ['only texts, numbers, integers and booleans have "enum" and "const".', ['enum', 'const']],
];

const adviceByKeyword = new Map(ADVICE.flatMap(([advice, keywords]) => keywords.map((keyword) => [keyword, advice])));

/** @throws BadRequest for the first keyword that is not taken in this place, with what is possible instead */
export function requireKeywords(schema: JsonObject, pointer: string, place: keyof typeof TAKEN): void {
  for (const keyword of Object.keys(schema)) {
    const isTaken = TAKEN[place].includes(keyword) || ANNOTATIONS.includes(keyword);
    if (!isTaken && !(pointer === '' && ROOT.includes(keyword))) throw keywordProblem(pointer, keyword);
  }
}

/** @throws BadRequest where a keyword is there with any value but the one that is taken */
export function requireOnly(schema: JsonObject, pointer: string, keyword: string, value: string | number): void {
  if (Object.hasOwn(schema, keyword) && schema[keyword] !== value) throw keywordProblem(pointer, keyword);
}

function keywordProblem(pointer: string, keyword: string): BadRequest {
  const advice = adviceByKeyword.get(keyword) ?? `this is not known; ${ANNOTATIONS.join(', ')} may stand everywhere.`;
  return schemaProblem(pointerTo(pointer, keyword), advice);
}
