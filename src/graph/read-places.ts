import { getOperationAST, Kind } from 'graphql';
import type { DocumentNode, SelectionSetNode } from 'graphql';
import type { RequestContext } from '../context.js';
import { CallerPlaces } from '../platform/async/caller-places.js';
import type { Graph } from './graph.js';

/** Operations that read, of one user at once and waiting. */
const AT_ONCE_FOR_USER = 4;
const WAITING_FOR_USER = 200;

/** What is executed. */
export interface ReadOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

/**
 * Places for operations that only read: no limit counts them, and those of one user with many connections would have the
 * event loop and the connections to the database for themselves. Whatever the request limit counts waits for models
 * mostly, has bounds of its own, and takes no place; nor does a mutation, which may receive a file.
 */
export class ReadPlaces {
  private readonly places = new CallerPlaces({
    name: 'queries',
    perUser: AT_ONCE_FOR_USER,
    waiting: WAITING_FOR_USER,
  });

  constructor(private readonly graph: Pick<Graph, 'accessOf'>) {}

  /** Executes an operation, when its caller has a place. @throws as `CallerPlaces.take` does; what the execution throws */
  async run<T>(
    { caller, signal }: Pick<RequestContext, 'caller' | 'signal'>,
    operation: ReadOperation,
    execute: () => T | Promise<T>,
  ): Promise<T> {
    if (!caller || !this.isRead(operation)) return execute();
    const { tenantId, userId } = caller;
    return this.places.run({ tenantId, userId, signal }, async () => execute());
  }

  private isRead({ document, operationName }: ReadOperation): boolean {
    const node = getOperationAST(document, operationName);
    if (node?.operation !== 'query') return false;
    const names = rootFields(document, node.selectionSet);
    return names.every((name) => !this.graph.accessOf('Query', name)?.rule?.rateLimited);
  }
}

/** The names of the fields of an operation, also those in fragments. The document is valid: fragments end. */
function rootFields(document: DocumentNode, { selections }: SelectionSetNode): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(document, selection.selectionSet);
    const fragment = document.definitions.find(
      (node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === selection.name.value,
    );
    return fragment && 'selectionSet' in fragment ? rootFields(document, fragment.selectionSet) : [];
  });
}
