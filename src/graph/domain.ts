import type { Caller } from '../context.js';
import type { AccessRule } from './access.js';

/**
 * How a domain answers `_entities` for one of its types: a root field, so it carries an access rule
 * and reads through the service with the caller.
 */
export interface ReferenceResolver {
  /** The name of the GraphQL type, with `@key(fields: "id")`. */
  readonly type: string;
  readonly access: AccessRule;
  /** Answers the entity, or null where the caller may not see it or it does not exist. */
  resolve(caller: Caller, id: string): Promise<object | null>;
}

/** One domain: a folder of `src/`, a subgraph, and a folder of `schema/rest/`. */
export interface Domain {
  readonly name: string;
  /** Instances of the resolver classes. */
  readonly resolvers: readonly object[];
  readonly references: readonly ReferenceResolver[];
}
