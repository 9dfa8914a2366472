import { getNullableType, isListType, Kind } from 'graphql';
import type { DocumentNode, FieldNode, GraphQLOutputType, SelectionSetNode } from 'graphql';
import type { Endpoint } from './endpoint.js';

/** What the list envelope of a connection is made from. */
const PAGE = ['edges.node', 'pageInfo.hasNextPage', 'pageInfo.endCursor'];

/**
 * Why an answer cannot be shaped as its document says, if so: an envelope, a location, a redirect or a file needs fields that the
 * operation does not select.
 * @param root the root field as the operation writes it
 * @param type the root field's type
 * @param document with the fragments that the operation uses
 */
export function answerProblem(
  { envelope, location, produces, redirect }: Pick<Endpoint, 'envelope' | 'location' | 'produces' | 'redirect'>,
  root: FieldNode,
  type: GraphQLOutputType,
  document: DocumentNode,
): string | undefined {
  const isPage = envelope === 'LIST' && !isListType(getNullableType(type));
  const named = [...(location ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const selected = new Set(pathsOf(root.selectionSet, document, ''));
  const target = [...(redirect === undefined ? [] : [redirect]), ...(produces === 'BYTES' ? ['url'] : [])];
  const missing = [...(isPage ? PAGE : []), ...named, ...target].filter((path) => !selected.has(path));
  return missing.length > 0 ? `the answer needs ${missing.join(', ')}` : undefined;
}

/** The response paths that are selected, such as `edges.node.id`, fragments included. */
function pathsOf(set: SelectionSetNode | undefined, document: DocumentNode, prefix: string): string[] {
  return (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      const path = prefix + (selection.alias ?? selection.name).value;
      return [path, ...pathsOf(selection.selectionSet, document, `${path}.`)];
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return pathsOf(selection.selectionSet, document, prefix);
    const fragment = document.definitions.find(
      (entry) => entry.kind === Kind.FRAGMENT_DEFINITION && entry.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? pathsOf(fragment.selectionSet, document, prefix) : [];
  });
}
