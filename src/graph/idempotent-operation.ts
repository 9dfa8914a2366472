import { Kind, print } from 'graphql';
import type {
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { StoredResponse } from '../admission/stored-response.js';
import type { RequestContext } from '../context.js';
import { BadRequest } from '../errors.js';
import type { Graph } from './graph.js';

/** What a GraphQL operation asks for. */
export interface IdempotentOperation {
  readonly document: DocumentNode;
  /** The operation of the document that is meant. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly variables: unknown;
}

/**
 * Claims the Idempotency-Key of a GraphQL operation, which is admitted here as it is over REST: what is replayed is never
 * executed, where fields are admitted. Nothing happens without a key, and for operations that it has no meaning for:
 * those that anyone may use, or that make nothing.
 * @returns the response of an earlier attempt, of which the reply tells
 * @throws BadRequest, also for several root fields, of which each would need a key; Unauthorized, Forbidden, RateLimited,
 * IdempotencyConflict, Unavailable
 */
export async function claimOperation(
  { document, operation, variables }: IdempotentOperation,
  { admission, reply }: RequestContext,
  graph: Graph,
): Promise<StoredResponse | undefined> {
  if (!admission.hasKey || !operation || operation.operation === 'query') return undefined;
  const isMutation = operation.operation === 'mutation';
  const [field, ...others] = rootFieldsOf(document, operation.selectionSet).values();
  if (field === undefined) return undefined;
  if (others.length > 0) {
    throw new BadRequest('With an Idempotency-Key an operation has one root field; send each with a key of its own.');
  }
  const { rule } = graph.accessOf(isMutation ? 'Mutation' : 'Subscription', field);
  // A stream is made by whoever asks for it, unless a model is paid for it.
  if (!rule || (!isMutation && !rule.metered)) return undefined;
  await admission.admitAhead(rule, field);
  const content = [print(document), variables, operation.name?.value];
  const replay = await admission.claimKey({ method: 'POST', path: '/graphql', content, rule });
  if (replay) reply.set('idempotency-replayed', 'true');
  return replay;
}

/** The root fields of a valid operation by their places in the answer, those in fragments too. */
function rootFieldsOf(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  fields = new Map<string, string>(),
  spread = new Set<string>(),
): Map<string, string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      if (name !== '__typename') fields.set(selection.alias?.value ?? name, name);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      rootFieldsOf(document, selection.selectionSet, fields, spread);
    } else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const isIt = (entry: DefinitionNode): entry is FragmentDefinitionNode =>
        entry.kind === Kind.FRAGMENT_DEFINITION && entry.name.value === selection.name.value;
      const fragment = document.definitions.find(isIt);
      if (fragment) rootFieldsOf(document, fragment.selectionSet, fields, spread);
    }
  }
  return fields;
}
