import { isUnionType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.js';
import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';
import type { Reference } from './domain.js';

/**
 * Answers `_entities` in place of the library's resolver: access is asked once for each type, and its rows are read
 * together. What is unknown, foreign or no reference is null and leaves its neighbours; where a type is not open to the
 * caller, its first entry says why.
 */
export function serveEntities(schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()._entities;
  const union = schema.getType('_Entity');
  if (!field || !isUnionType(union)) return;
  const served = new Set(union.getTypes().map(({ name }) => name));
  field.resolve = (_source, { representations }: { representations: readonly unknown[] }, context: RequestContext) =>
    resolveAll(representations, served, context);
}

async function resolveAll(
  representations: readonly unknown[],
  served: ReadonlySet<string>,
  context: RequestContext,
): Promise<unknown[]> {
  const answers: unknown[] = Array.from({ length: representations.length }, () => null);
  const places = new Map<string, number[]>();
  for (const [place, representation] of representations.entries()) {
    const { __typename: type }: JsonObject = isJsonObject(representation) ? representation : {};
    if (typeof type !== 'string' || !served.has(type)) continue;
    const known = places.get(type);
    if (known) known.push(place);
    else places.set(type, [place]);
  }
  await Promise.all(
    [...places].map(async ([type, ofType]) => {
      try {
        const wanted = ofType.map((place) => representations[place] as Reference);
        const found = await context.responders.entitiesOf(type, wanted, context);
        for (const [index, place] of ofType.entries()) answers[place] = withTypename(found[index], type);
      } catch (error) {
        answers[ofType[0] as number] = error;
      }
    }),
  );
  return answers;
}

/** The union's types are told apart by it. Rows may be shared by several entries, so it is set only once. */
function withTypename(entity: object | null | undefined, type: string): object | null {
  if (!entity) return null;
  if (!('__typename' in entity)) Object.defineProperty(entity, '__typename', { value: type });
  return entity;
}
