import { getDocumentNodeFromSchema, pruneSchema } from '@graphql-tools/utils';
import { buildASTSchema, Kind, lexicographicSortSchema, parse, print, visit } from 'graphql';
import type { ConstDirectiveNode, DocumentNode, GraphQLSchema, ObjectTypeDefinitionNode } from 'graphql';

const FEDERATION = 'https://specs.apollo.dev/federation/v2.5';
/** The directives of federation that may be written in the code. */
const DIRECTIVES = [
  'external',
  'inaccessible',
  'key',
  'override',
  'provides',
  'requires',
  'shareable',
  'tag',
  'interfaceObject',
  'extends',
];

/** What a group of domains needs to know of the others to stand on its own as a subgraph. Fields are `Type.field`. */
export interface SubgraphView {
  /** Entities that other domains own. */
  readonly foreignEntities: ReadonlySet<string>;
  /** Fields that the served domains' own resolvers add. */
  readonly addedFields: ReadonlySet<string>;
  /** Fields that other domains' resolvers add. */
  readonly addedElsewhere: ReadonlySet<string>;
  /** Types that other domains use too. */
  readonly usedElsewhere: ReadonlySet<string>;
}

/** The types of a schema in a stable order, with their directives. */
export function typesOf(schema: GraphQLSchema): DocumentNode {
  return getDocumentNodeFromSchema(lexicographicSortSchema(schema));
}

/** Whether a type is an entity: another subgraph may ask for it by its key. */
function isEntity(type: ObjectTypeDefinitionNode): boolean {
  return hasDirective(type, 'key');
}

function hasDirective(type: ObjectTypeDefinitionNode, name: string): boolean {
  return type.directives?.some((directive) => directive.name.value === name) ?? false;
}

/**
 * The SDL of a Federation 2 subgraph. An entity that another domain owns keeps its key and the fields that the served
 * domains add to it; a value type that others use too is marked as shareable. With all domains served nothing is
 * foreign, and the types are whole.
 */
export function subgraphSdl(types: DocumentNode, view: SubgraphView): string {
  const reduced = visit(types, { ObjectTypeDefinition: (type) => reduceType(type, view) });
  // Cutting foreign fields can leave types behind that nothing refers to any more.
  const pruned = pruneSchema(buildASTSchema(reduced, { assumeValidSDL: true }), {
    // A router asks for these by their key, whether or not a field here leads to them.
    skipPruning: ({ astNode }) => astNode?.kind === Kind.OBJECT_TYPE_DEFINITION && isResolvable(astNode),
  });
  const printed = typesOf(pruned);
  return `${linkOf(printed)}\n\n${print(printed)}\n`;
}

/** A graph as its clients read it: without what only routers use. */
export function clientSdl(types: DocumentNode): string {
  const federation = new Set(DIRECTIVES);
  const plain = visit(types, {
    Directive: ({ name }) => (federation.has(name.value) ? null : undefined),
    SchemaExtension: () => null,
  });
  return `${print(plain)}\n`;
}

/** The line that says which directives of federation a subgraph uses. */
function linkOf(types: DocumentNode): string {
  const used = new Set<string>();
  visit(types, { Directive: ({ name }) => void used.add(name.value) });
  const imports = DIRECTIVES.filter((name) => used.has(name)).toSorted();
  return `extend schema @link(url: "${FEDERATION}", import: [${imports.map((name) => `"@${name}"`).join(', ')}])`;
}

function reduceType(whole: ObjectTypeDefinitionNode, view: SubgraphView): ObjectTypeDefinitionNode {
  const name = whole.name.value;
  const fields = whole.fields?.filter((field) => !view.addedElsewhere.has(`${name}.${field.name.value}`));
  const type = { ...whole, fields };
  if (isEntity(type)) return view.foreignEntities.has(name) ? asForeign(type, view) : type;
  const isRoot = ['Query', 'Mutation', 'Subscription'].includes(name);
  const isShared = !isRoot && view.usedElsewhere.has(name) && !hasDirective(type, 'shareable');
  return isShared ? withDirective(type, '@shareable') : type;
}

function asForeign(type: ObjectTypeDefinitionNode, view: SubgraphView): ObjectTypeDefinitionNode {
  const added = (type.fields ?? []).filter((field) => view.addedFields.has(`${type.name.value}.${field.name.value}`));
  const key = (type.fields ?? []).filter((field) => field.name.value === 'id');
  const reference = added.length > 0 ? '@key(fields: "id")' : '@key(fields: "id", resolvable: false)';
  return withDirective({ ...type, fields: [...key, ...added], interfaces: [], directives: [] }, reference);
}

function isResolvable(type: ObjectTypeDefinitionNode): boolean {
  const keys = type.directives?.filter((directive) => directive.name.value === 'key') ?? [];
  return keys.some((key) => !key.arguments?.some((argument) => argument.name.value === 'resolvable'));
}

function withDirective(type: ObjectTypeDefinitionNode, directive: string): ObjectTypeDefinitionNode {
  const [definition] = parse(`type T ${directive}`).definitions;
  const added = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.directives ?? []) : [];
  return { ...type, directives: [...(type.directives ?? []), ...added] as ConstDirectiveNode[] };
}
