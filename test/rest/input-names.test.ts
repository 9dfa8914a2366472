import { buildSchema } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { toGraphNames } from '../../src/rest/input-names.js';

const schema = buildSchema(`
  input Outer { appliesTo: String inner: [Inner!] free: Free }
  input Inner { maxItems: Int }
  scalar Free
`);

describe('the names of an input object', () => {
  it('are those of REST, however deep it lies', () => {
    const given = [{ applies_to: 'input', inner: [{ max_items: 1 }, { max_items: 2 }] }];

    const named = given.map((value) => toGraphNames(value, typeOf('Outer')));

    expect(named).toEqual([{ appliesTo: 'input', inner: [{ maxItems: 1 }, { maxItems: 2 }] }]);
  });

  it('stay as they are where nobody knows them', () => {
    const given = { free: { some_name: 1 }, not_there: 2 };

    expect(toGraphNames(given, typeOf('Outer'))).toEqual(given);
  });

  it.each([null, 'text', 1, [1]])('leave %j alone', (value) => {
    expect(toGraphNames(value, typeOf('Outer'))).toEqual(value);
  });
});

function typeOf(name: string): GraphQLInputType {
  return schema.getType(name) as GraphQLInputType;
}
