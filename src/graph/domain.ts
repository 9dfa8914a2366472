import type { AccessRule } from '../access/access-rule.js';
import type { RequestContext } from '../context.js';
import type { RequestLoader } from './request-loader.js';

/** What a router knows of an entity: its type and the fields of a key. Only the type is known to have the right form. */
export type Reference = Readonly<Record<string, unknown>>;

/**
 * How a domain answers `_entities` for one of its types: a root field, so it carries an access rule
 * and reads through the service with the request's caller.
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
  resolve(context: RequestContext, references: readonly Reference[]): Promise<readonly (object | null)[]>;
}

/** One domain: a folder of `src/`, a subgraph, and a folder of `schema/rest/`. */
export interface Domain {
  readonly name: string;
  /** Instances of the resolver classes. */
  readonly resolvers: readonly object[];
  readonly references: readonly ReferenceResolver[];
}

/** Resolves references by their `id`; what is no text is null. */
export function byId(loader: RequestLoader<string, object>): ReferenceResolver['resolve'] {
  return (context, references) => {
    const entities = loader(context);
    return Promise.all(references.map(({ id }) => (typeof id === 'string' ? entities.load(id) : null)));
  };
}
