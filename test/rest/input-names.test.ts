import { buildSchema } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { toGraphNames } from '../../src/rest/input-names.js';

const schema = buildSchema(`
  input Outer { appliesTo: String inner: [Inner!] free: Free }
  input Inner { maxItems: Int! }
  scalar Free
`);

describe('the names of an input object', () => {
  it('are those of REST, however deep it lies', () => {
    const given = [{ applies_to: 'input', inner: [{ max_items: 1 }, { max_items: 2 }] }];

    const named = given.map((value) => toGraphNames(value, typeOf('Outer'), 'rules'));

    expect(named).toEqual([{ appliesTo: 'input', inner: [{ maxItems: 1 }, { maxItems: 2 }] }]);
  });

  it('stay as they are where everything may be', () => {
    const given = { free: { some_name: 1, otherName: 2 } };

    expect(toGraphNames(given, typeOf('Outer'), 'rules')).toEqual(given);
  });

  it.each([
    ['of the graph', { appliesTo: 'input' }, 'rules.appliesTo is not known.'],
    [
      'that there is not',
      { inner: [{ max_items: 1 }, { max_items: 1, applies_too: 2 }] },
      'rules.inner[1].applies_too is not known.',
    ],
    ['that is left out', { inner: [{}] }, 'rules.inner[0].max_items is required.'],
  ])('are refused by their REST name: one %s', (_, given, message) => {
    const name = () => toGraphNames(given, typeOf('Outer'), 'rules');

    expect(name).toThrow(
      expect.objectContaining({ message, details: expect.objectContaining({ param: message.split(' ')[0] }) }),
    );
  });

  it.each([null, 'text', 1, [1]])('leave %j alone', (value) => {
    expect(toGraphNames(value, typeOf('Outer'), 'rules')).toEqual(value);
  });
});

function typeOf(name: string): GraphQLInputType {
  return schema.getType(name) as GraphQLInputType;
}
