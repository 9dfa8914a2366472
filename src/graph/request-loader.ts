import DataLoader from 'dataloader';
import { callerOf } from '../access/access-rule.js';
import type { Caller } from '../access/caller.js';
import type { RequestContext } from '../context.js';

/** The loader of a request: what is wanted at the same time is read together, and nothing twice. */
export type RequestLoader<Want, Value> = (context: RequestContext) => {
  /** The value; null where there is none. */
  load(want: Want): Promise<Value | null>;
};

/**
 * Reads together what the objects of one answer ask for one by one, such as the quotas of a list of users.
 * @param load answers what it finds by key; what is missing is null
 * @param keyOf tells equal wants of one request apart from others
 */
export function requestLoader<Want, Value>(
  load: (context: RequestContext, wants: readonly Want[]) => Promise<ReadonlyMap<string, Value>>,
  keyOf: (want: Want) => string,
): RequestLoader<Want, Value> {
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

/**
 * Reads the entities of one type by their ids. Edges to them and references share a loader, so that each is read once.
 * @param find answers those that the caller may see, in any order
 */
export function entityLoader<Entity extends { readonly id: string }>(
  find: (caller: Caller, ids: readonly string[], signal: AbortSignal) => Promise<readonly Entity[]>,
): RequestLoader<string, Entity> {
  const load = async (context: RequestContext, ids: readonly string[]) => {
    const found = await find(callerOf(context), ids, context.signal);
    return new Map(found.map((entity) => [entity.id, entity]));
  };
  return requestLoader(load, (id) => id);
}
