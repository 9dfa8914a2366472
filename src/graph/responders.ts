import type { RequestContext, Responders } from '../context.js';
import type { Domain, Reference, ReferenceResolver } from './domain.js';

/** What answers in a server with some domains. */
export class DomainResponders implements Responders {
  private readonly resolvers: ReadonlyMap<unknown, object>;
  private readonly references: ReadonlyMap<string, ReferenceResolver>;

  constructor(domains: readonly Domain[]) {
    this.resolvers = new Map(domains.flatMap(({ resolvers }) => resolvers.map((entry) => [entry.constructor, entry])));
    this.references = new Map(domains.flatMap(({ references }) => references.map((entry) => [entry.type, entry])));
  }

  resolverOf(resolverClass: unknown): object | undefined {
    return this.resolvers.get(resolverClass);
  }

  async entitiesOf(
    type: string,
    references: readonly Reference[],
    context: RequestContext,
  ): Promise<readonly (object | null)[]> {
    const reference = this.references.get(type);
    if (!reference) throw new Error(`No domain answers references to ${type}.`);
    await context.admission.authorize(reference.access, '_entities');
    context.signal.throwIfAborted();
    return reference.resolve(context, references);
  }
}
