import { expect, it } from '@jest/globals';
import { listFields } from '../../src/documents/files/field-list.js';
import { finished } from '../support/probes/finished.js';
import { parseSchema } from '../../src/documents/schema/schema-parser.js';

it('has all places of a schema in its order, and the rows that were found', () => {
  const fields = finished(listFields(SCHEMA, ['items[1].amount', 'tags[0]', 'number'], 100));

  expect(fields).toEqual([
    { path: 'number', isRequired: false },
    { path: 'supplier.name', isRequired: true },
    { path: 'supplier.city', isRequired: false },
    { path: 'items[0].amount', isRequired: true },
    { path: 'items[0].unit', isRequired: false },
    { path: 'items[1].amount', isRequired: true },
    { path: 'items[1].unit', isRequired: false },
    { path: 'tags[0]', isRequired: true },
  ]);
});

it('ends where there are more than are wanted', () => {
  const fields = finished(listFields(SCHEMA, ['items[9999].amount'], 7));

  expect(fields).toHaveLength(7);
});

it('asks for nothing of an array that was not found', () => {
  const fields = finished(listFields(SCHEMA, [], 100));

  expect(fields.map(({ path }) => path)).toEqual(['number', 'supplier.name', 'supplier.city']);
});

const SCHEMA = parseSchema({
  type: 'object',
  required: ['supplier'],
  properties: {
    number: { type: 'string' },
    supplier: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, city: { type: 'string' } },
    },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'number' }, unit: { type: 'string' } },
      },
    },
    tags: { type: 'array', items: { type: 'string' } },
  },
});
