import { describe, expect, it } from '@jest/globals';
import { breakingOpenapiChanges } from '../../scripts/compat/openapi-compat.js';
import type { Description } from '../../scripts/compat/openapi-compat.js';
import type { AnyJson } from '../support/probes/any-json.js';

describe('the comparison of two OpenAPI descriptions', () => {
  it.each(breaking())('finds %s', (_name, change, found) => {
    expect(changesAfter(change)).toEqual(found);
  });

  it.each(harmless())('lets pass: %s', (_name, change) => {
    expect(changesAfter(change)).toEqual([]);
  });
});

/** A small description, and how each case changes it. */
function description() {
  return {
    paths: {
      '/items': {
        post: {
          operationId: 'createItem',
          security: [{ bearer: ['items:write'] }],
          parameters: [
            { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } as object },
          ],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ItemRequest' } } },
          },
          responses: {
            '200': {
              headers: { 'x-request-id': {} } as Record<string, object>,
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/Item' } },
              } as Record<string, object>,
            },
            '404': { $ref: '#/components/responses/NotFound' },
          } as Record<string, object>,
        } as AnyJson,
      } as Record<string, AnyJson>,
    } as Record<string, Record<string, AnyJson>>,
    components: {
      responses: {
        NotFound: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
      },
      schemas: {
        ItemRequest: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', maxLength: 20 },
            size: { type: ['integer', 'null'], minimum: 1 },
            kind: { type: 'string', enum: ['a', 'b'] },
            input: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
            more: { type: ['object', 'null'], required: ['deep'], properties: { deep: { type: 'boolean' } } },
          },
        },
        Item: {
          type: 'object',
          required: ['id', 'kind'],
          properties: {
            id: { type: 'string' },
            kind: { type: 'string', enum: ['a', 'b'] },
            parent: { oneOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] },
            note: { type: ['string', 'null'] },
          },
        },
        Options: { type: 'object', required: ['deep'], properties: { deep: { type: 'boolean' } } },
        Problem: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
      } as Record<string, Schema>,
    },
  };
}

function request(change: (schema: Schema) => void): Change {
  return (document) => change(document.components.schemas.ItemRequest);
}

function answer(change: (schema: Schema) => void): Change {
  return (document) => change(document.components.schemas.Item);
}

function operation(change: (operation: AnyJson) => void): Change {
  return (document) => change(document.paths['/items']?.post);
}

function changesAfter(change: Change): string[] {
  const after = description();
  change(after);
  return breakingOpenapiChanges(description() as Description, after as Description);
}

type Schema = AnyJson;

type Change = (document: ReturnType<typeof description>) => void;

function breaking(): [name: string, change: Change, found: string[]][] {
  return [
    ['a path that is gone', (document) => delete document.paths['/items'], ['POST /items: was removed']],
    [
      'another operationId',
      operation((post) => (post.operationId = 'addItem')),
      ['POST /items: its operationId is addItem now'],
    ],
    [
      'a role that is needed',
      operation((post) => (post.security = [{ bearer: ['items:write', 'admin'] }])),
      ['POST /items: needs another credential or role now'],
    ],
    ['a parameter that is gone', operation((post) => (post.parameters = [])), ['POST /items query limit: was removed']],
    [
      'a parameter that is required',
      operation((post) => (post.parameters[0].required = true)),
      ['POST /items query limit: is required now'],
    ],
    [
      'a lower bound of a parameter',
      operation((post) => (post.parameters[0].schema.maximum = 50)),
      ['POST /items query limit: maximum is 50 now'],
    ],
    [
      'a body that is required',
      operation((post) => (post.requestBody.required = true)),
      ['POST /items: the body is required now'],
    ],
    ['a body that is not taken', operation((post) => delete post.requestBody), ['POST /items: takes no body now']],
    ['an answer that is gone', operation((post) => delete post.responses['404']), ['POST /items 404: was removed']],
    [
      'a media type that is gone',
      operation((post) => (post.responses['200'].content = {})),
      ['POST /items 200: application/json was removed'],
    ],
    [
      'a header that is gone',
      operation((post) => (post.responses['200'].headers = {})),
      ['POST /items 200: the header x-request-id was removed'],
    ],
    ['a field that is required', request((body) => body.required.push('kind')), ['ItemRequest.kind: is required now']],
    [
      'a new field that is required',
      request((body) => {
        body.properties.color = { type: 'string' };
        body.required.push('color');
      }),
      ['ItemRequest.color: is required now'],
    ],
    [
      'a field of a request that is gone',
      request((body) => delete body.properties.size),
      ['ItemRequest.size: was removed'],
    ],
    [
      'a field that may not be null',
      request((body) => (body.properties.size.type = 'integer')),
      ['ItemRequest.size: may not be null now'],
    ],
    [
      'a type that is not taken',
      request((body) => body.properties.input.oneOf.pop()),
      ['ItemRequest.input: may not be array now'],
    ],
    [
      'a list of something else',
      request((body) => (body.properties.input.oneOf[1].items.type = 'integer')),
      ['ItemRequest.input[]: may not be string now'],
    ],
    [
      'a value that is not taken',
      request((body) => body.properties.kind.enum.pop()),
      ['ItemRequest.kind: may not be "b" now'],
    ],
    [
      'a text that is limited to values',
      request((body) => (body.properties.name.enum = ['x'])),
      ['ItemRequest.name: may not be another value than ["x"] now'],
    ],
    [
      'a shorter text',
      request((body) => (body.properties.name.maxLength = 10)),
      ['ItemRequest.name: maxLength is 10 now'],
    ],
    [
      'a field below that is gone',
      request((body) => (body.properties.more.properties = {})),
      ['ItemRequest.more.deep: was removed'],
    ],
    ['a pattern', request((body) => (body.properties.name.pattern = '^x')), ['ItemRequest.name: has another pattern']],
    [
      'no other fields',
      request((body) => (body.additionalProperties = false)),
      ['ItemRequest: takes no other fields now'],
    ],
    ['a field of an answer that is gone', answer((body) => delete body.properties.note), ['Item.note: was removed']],
    ['a field that may be absent', answer((body) => (body.required = ['id'])), ['Item.kind: may be absent now']],
    [
      'a field that may be null',
      answer((body) => (body.properties.id.type = ['string', 'null'])),
      ['Item.id: may be null now'],
    ],
    ['another type', answer((body) => (body.properties.id.type = 'integer')), ['Item.id: may be integer now']],
    ['a new value of an answer', answer((body) => body.properties.kind.enum.push('c')), ['Item.kind: may be "c" now']],
    [
      'a field of an error that is gone',
      ({ components }) => (components.schemas.Problem = { type: 'object' }),
      ['Problem.code: was removed'],
    ],
    [
      'another name of a schema',
      ({ components }) => {
        components.schemas.Failure = components.schemas.Problem;
        delete components.schemas.Problem;
        components.responses.NotFound.content['application/json'].schema.$ref = '#/components/schemas/Failure';
      },
      ['Problem: the schema was removed or has another name'],
    ],
  ];
}

function harmless(): [name: string, change: Change][] {
  return [
    ['nothing', () => undefined],
    ['a new path', (document) => (document.paths['/more'] = structuredClone(document.paths['/items'] ?? {}))],
    ['a new answer', operation((post) => (post.responses['429'] = { description: 'Too many' }))],
    ['no credential', operation((post) => (post.security = []))],
    ['another credential beside the first', operation((post) => post.security.push({ key: [] }))],
    ['a new parameter', operation((post) => post.parameters.push({ name: 'after', in: 'query', schema: {} }))],
    ['a higher bound', operation((post) => (post.parameters[0].schema.maximum = 200))],
    ['a new field of a request', request((body) => (body.properties.color = { type: 'string' }))],
    ['a field that is not required any more', request((body) => delete body.required)],
    ['a field that may be null', request((body) => (body.properties.name.type = ['string', 'null']))],
    ['any number in the place of an integer', request((body) => (body.properties.size.type = ['number', 'null']))],
    ['anything in the place of a text', request((body) => (body.properties.name = {}))],
    ['a new value of a request', request((body) => body.properties.kind.enum.push('c'))],
    [
      'types in other words',
      request((body) => (body.properties.size = { oneOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] })),
    ],
    [
      'a field or null in other words',
      request(
        (body) => (body.properties.more = { oneOf: [{ $ref: '#/components/schemas/Options' }, { type: 'null' }] }),
      ),
    ],
    ['a new field of an answer', answer((body) => (body.properties.more = { type: 'string' }))],
    ['a field that is always there', answer((body) => body.required.push('note'))],
    ['a field that is never null', answer((body) => (body.properties.note.type = 'string'))],
    ['a value that does not come any more', answer((body) => body.properties.kind.enum.pop())],
    ['other words', answer((body) => (body.description = 'Something.'))],
  ];
}
