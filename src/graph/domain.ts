import type { Caller } from '../access/caller.js';
import type { AccessRule } from '../access/access-rule.js';

/** What a router knows of an entity: its type and the fields of a key. Only the type is known to have the right form. */
export type Reference = Readonly<Record<string, unknown>>;

/**
 * How a domain answers `_entities` for one of its types: a root field, so it carries an access rule
 * and reads through the service with the caller.
 */
export interface ReferenceResolver {
  /** The name of the GraphQL type. */
  readonly type: string;
  /** The keys that it reads, as the `fields` of their `@key`; `id` alone by default. */
  readonly keys?: readonly string[];
  readonly access: AccessRule;
  /**
   * Answers the entities in the order of their references, with as few reads as there can be; null where the caller may
   * not see one or it does not exist.
   */
  resolve(caller: Caller, references: readonly Reference[], signal: AbortSignal): Promise<readonly (object | null)[]>;
}

/** One domain: a folder of `src/`, a subgraph, and a folder of `schema/rest/`. */
export interface Domain {
  readonly name: string;
  /** Instances of the resolver classes. */
  readonly resolvers: readonly object[];
  readonly references: readonly ReferenceResolver[];
}

/**
 * Resolves references by their `id`: what is no text is null, and the rest is read at once.
 * @param find answers what it finds, in any order
 */
export function byId<Entity extends { readonly id: string }>(
  find: (caller: Caller, ids: readonly string[], signal: AbortSignal) => Promise<readonly Entity[]>,
): ReferenceResolver['resolve'] {
  return async (caller, references, signal) => {
    const ids = references.map(({ id }) => (typeof id === 'string' ? id : undefined));
    const found = await find(caller, [...new Set(ids.filter((id) => id !== undefined))], signal);
    const entities = new Map(found.map((entity) => [entity.id, entity]));
    return ids.map((id) => (id === undefined ? null : (entities.get(id) ?? null)));
  };
}
