import DataLoader from 'dataloader';
import type { RequestContext } from '../context.js';

/**
 * Reads together what the objects of one answer ask for one by one, such as the tenants of a list of users.
 * @param load answers what it finds by key; what is missing is null
 * @param keyOf tells equal wants of one request apart from others
 * @returns the loader of a request
 */
export function requestLoader<Want, Value>(
  load: (context: RequestContext, wants: readonly Want[]) => Promise<ReadonlyMap<string, Value>>,
  keyOf: (want: Want) => string,
): (context: RequestContext) => { load(want: Want): Promise<Value | null> } {
  const loaders = new WeakMap<RequestContext, DataLoader<Want, Value | null, string>>();
  return (context) => {
    const known = loaders.get(context);
    if (known) return known;
    const batch = async (wants: readonly Want[]): Promise<(Value | null)[]> => {
      const found = await load(context, wants);
      return wants.map((want) => found.get(keyOf(want)) ?? null);
    };
    const loader = new DataLoader<Want, Value | null, string>(batch, { cacheKeyFn: keyOf });
    loaders.set(context, loader);
    return loader;
  };
}

/** Entities by their id. */
export function toMapById<Entity extends { readonly id: string }>(entities: readonly Entity[]): Map<string, Entity> {
  return new Map(entities.map((entity) => [entity.id, entity]));
}
