import { getNamedType, isCompositeType, isListType, getNullableType, Kind } from 'graphql';
import type {
  DirectiveNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { BadRequest } from '../errors.js';
import { MAX_JSON_DEPTH } from '../platform/json-depth.js';

/** How large, deep, wide and costly an operation from outside may be. REST documents are ours and not limited. */
export const OPERATION_LIMITS = {
  /** Of the document's text; large values belong into variables. */
  characters: 256 * 1024,
  /** Of the document, names and punctuation alike. */
  tokens: 5_000,
  /** Of fields within fields. */
  depth: 12,
  aliases: 15,
  /** How many objects the operation can answer, by the sizes of its pages. */
  complexity: 5_000,
  /** References that an operation asks `_entities` for. */
  representations: 1_000,
} as const;

/** How often fields may be looked at, those of a fragment wherever it is spread. */
const MAX_VISITS = 10_000;
/** How many pairs of fields may share a place in the answer: validation compares each with each. */
const MAX_PAIRS = 20_000;
/** What a list without pages is taken to hold. */
const LIST_SIZE = 10;
const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/** A field of the answer: what all selections of its name ask for together. */
interface Selected {
  readonly node: FieldNode;
  readonly parent: GraphQLCompositeType | undefined;
}

/** Where a selection stands. */
interface Place {
  readonly depth: number;
  /** How many objects there may be of the parent. */
  readonly parents: number;
  /** The size of the page that the parent is, where it is a connection. */
  readonly pageSize?: number;
  /** Introspection, which has rules of its own. */
  readonly isMeta: boolean;
}

/**
 * Checks a document before it is validated or executed, in time that grows with its size alone: it stops at the first
 * excess. Variables count as they came, or by their defaults.
 * @throws BadRequest that names the limit
 */
export function checkOperationLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const fragments = document.definitions.filter((entry) => entry.kind === Kind.FRAGMENT_DEFINITION);
  const walk = new LimitedWalk(schema, new Map(fragments.map((entry) => [entry.name.value, entry])));
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walk.checkOperation(definition, variables);
  }
  // Validation reads those too that nothing spreads.
  for (const fragment of fragments) walk.checkFragment(fragment);
}

class LimitedWalk {
  private visits = 0;
  private pairs = 0;
  private aliases = 0;
  private objects = 0;
  private representations = 0;
  private variables: Readonly<Record<string, unknown>> = {};

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {}

  checkOperation(operation: OperationDefinitionNode, given: Readonly<Record<string, unknown>>): void {
    const definitions = operation.variableDefinitions ?? [];
    for (const { defaultValue } of definitions) if (defaultValue) checkValueDepth(defaultValue);
    const defaults = definitions.map(({ variable, defaultValue }) => [variable.name.value, plainValue(defaultValue)]);
    this.variables = { ...Object.fromEntries(defaults), ...given };
    this.aliases = this.objects = this.representations = 0;
    checkDirectives(operation.directives);
    this.walkRoot(operation.selectionSet, this.schema.getRootType(operation.operation));
  }

  checkFragment({ selectionSet, typeCondition, directives }: FragmentDefinitionNode): void {
    this.variables = {};
    this.aliases = this.objects = this.representations = 0;
    checkDirectives(directives);
    const name = typeCondition.name.value;
    this.walkRoot(selectionSet, this.typeNamed(name), name.startsWith('__'));
  }

  private walkRoot(
    selectionSet: SelectionSetNode,
    type: GraphQLCompositeType | null | undefined,
    isMeta = false,
  ): void {
    const root = { selectionSet, type: type ?? undefined };
    this.walk([root], { depth: 1, parents: 1, isMeta });
    // Asked last, so that what is too deep or has too many aliases is told as such.
    if (this.objects > OPERATION_LIMITS.complexity) throw excess('complexity');
  }

  /** Walks selections of one object, merged as execution merges them. */
  private walk(
    selections: readonly { readonly selectionSet: SelectionSetNode; readonly type?: GraphQLCompositeType }[],
    place: Place,
  ): void {
    const fields = new Map<string, Selected[]>();
    const spread = new Set<string>();
    for (const { selectionSet, type } of selections) this.collect(selectionSet, type, fields, spread);
    for (const same of fields.values()) this.visitField(same, place);
  }

  private collect(
    { selections }: SelectionSetNode,
    parent: GraphQLCompositeType | undefined,
    into: Map<string, Selected[]>,
    spread: Set<string>,
  ): void {
    for (const node of selections) {
      this.visit();
      checkDirectives(node.directives);
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const same = into.get(name);
        if (same) same.push({ node, parent });
        else into.set(name, [{ node, parent }]);
        this.pairs += same ? same.length - 1 : 0;
        if (this.pairs > MAX_PAIRS) throw excess('complexity');
        if (node.alias && (this.aliases += 1) > OPERATION_LIMITS.aliases) throw excess('aliases');
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const condition = node.typeCondition?.name.value;
        this.collect(node.selectionSet, condition === undefined ? parent : this.typeNamed(condition), into, spread);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        const fragment = this.fragments.get(node.name.value);
        if (fragment)
          this.collect(fragment.selectionSet, this.typeNamed(fragment.typeCondition.name.value), into, spread);
      }
    }
  }

  private visitField(same: readonly Selected[], { depth, parents, pageSize, isMeta }: Place): void {
    const [{ node, parent }] = same as [Selected];
    const field = fieldOf(parent, node.name.value);
    const meta = isMeta || node.name.value.startsWith('__');
    if (!meta && depth > OPERATION_LIMITS.depth) throw excess('depth');
    for (const { node: each } of same) for (const { value } of each.arguments ?? []) checkValueDepth(value);
    const type = field && getNamedType(field.type);
    const composite = isCompositeType(type) ? type : undefined;
    const page = field && Math.max(...same.map((each) => this.pageSizeOf(field, each.node)));
    const objects = parents * this.timesOf(field, same, pageSize);
    const isCounted = !meta && (composite !== undefined || depth === 1);
    if (isCounted) this.objects += objects;
    const below = same.flatMap((each) =>
      each.node.selectionSet ? [{ selectionSet: each.node.selectionSet, type: composite }] : [],
    );
    if (below.length === 0) return;
    this.walk(below, { depth: depth + 1, parents: objects, pageSize: page || undefined, isMeta: meta });
  }

  /** How many objects a field can answer for each of its parent. */
  private timesOf(
    field: GraphQLField<unknown, unknown> | undefined,
    same: readonly Selected[],
    pageSize: number | undefined,
  ): number {
    if (!field) return 1;
    if (field.name === '_entities') return Math.max(1, ...same.map(({ node }) => this.countRepresentations(node)));
    return isListType(getNullableType(field.type)) ? (pageSize ?? LIST_SIZE) : 1;
  }

  /** The size of the page that a field asks for; 0 where it has no pages. */
  private pageSizeOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
    if (!field.args.some(({ name }) => name === 'first')) return 0;
    const size = Number(this.argumentOf(node, 'first') ?? PAGE_SIZE);
    return Number.isNaN(size) ? PAGE_SIZE : Math.min(MAX_PAGE_SIZE, Math.max(1, size));
  }

  private countRepresentations(node: FieldNode): number {
    const references = this.argumentOf(node, 'representations');
    const count = Array.isArray(references) ? references.length : 1;
    this.representations += count;
    if (this.representations > OPERATION_LIMITS.representations) throw excess('representations');
    return count;
  }

  private argumentOf(node: FieldNode, name: string): unknown {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return value?.kind === Kind.VARIABLE ? this.variables[value.name.value] : plainValue(value);
  }

  private typeNamed(name: string): GraphQLCompositeType | undefined {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  private visit(): void {
    this.visits += 1;
    if (this.visits > MAX_VISITS) throw excess('complexity');
  }
}

/** The error of an operation that exceeds a limit. */
export function excess(limit: keyof typeof OPERATION_LIMITS): BadRequest {
  return new BadRequest(`The query is over the limit of ${OPERATION_LIMITS[limit]} for its ${limit}.`);
}

/** Undefined for what is not in the schema, which validation tells, and for introspection. */
function fieldOf(parent: GraphQLCompositeType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  return parent && 'getFields' in parent ? parent.getFields()[name] : undefined;
}

/** The number, or the list by its length, that a literal stands for; all that the limits look at. */
function plainValue(value: ValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.LIST ? value.values : undefined;
}

function checkDirectives(directives: readonly DirectiveNode[] | undefined): void {
  for (const directive of directives ?? []) for (const { value } of directive.arguments ?? []) checkValueDepth(value);
}

/** Walks level by level, so that depth costs no stack. */
function checkValueDepth(value: ValueNode): void {
  let level: readonly ValueNode[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH + 1) throw new BadRequest(`A value is nested deeper than ${MAX_JSON_DEPTH} levels.`);
    level = level.flatMap((node) => {
      if (node.kind === Kind.LIST) return node.values;
      return node.kind === Kind.OBJECT ? node.fields.map((field) => field.value) : [];
    });
  }
}
