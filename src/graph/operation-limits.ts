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
import { LiteralLimits } from './literal-limits.js';

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
  /** Of a document, of which one is executed. */
  operations: 50,
} as const;

/** How often fields may be looked at, those of a fragment wherever it is spread. */
const MAX_VISITS = 10_000;
/** How many pairs of fields and fragments may share a place in the answer: validation compares each with each. */
const MAX_PAIRS = 20_000;
/** How often an operation may ask for the schema, which is large. */
const MAX_META_FIELDS = 3;
const META_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '_service']);
/** Of introspection, whose usual query has 14 levels; fragments that lead to themselves would have no end. */
const MAX_META_DEPTH = 30;
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
interface SelectionContext {
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
  const operations = document.definitions.filter((entry) => entry.kind === Kind.OPERATION_DEFINITION);
  if (operations.length > OPERATION_LIMITS.operations) throw excess('operations');
  const literals = new LiteralLimits(variables);
  const byName = new Map(fragments.map((entry) => [entry.name.value, entry]));
  const walk = new LimitedWalk(schema, byName, variables, literals);
  for (const operation of operations) walk.checkOperation(operation);
  // Validation reads those too that nothing spreads.
  for (const fragment of fragments) walk.checkFragment(fragment);
  literals.checkVariables();
}

class LimitedWalk {
  private visits = 0;
  private pairs = 0;
  private aliases = 0;
  private objects = 0;
  private representations = 0;
  private metaFields = 0;
  /** Of the operation's variables. */
  private defaults: ReadonlyMap<string, ValueNode | undefined> = new Map();

  /** @param given variables, as they came: there may be thousands, so nothing is made of them */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly given: Readonly<Record<string, unknown>>,
    private literals: LiteralLimits,
  ) {}

  checkOperation(operation: OperationDefinitionNode): void {
    const definitions = operation.variableDefinitions ?? [];
    this.defaults = new Map(definitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]));
    for (const [name, value] of this.defaults) if (value) this.literals.addDefault(name, value);
    this.begin();
    this.checkDirectives(operation.directives);
    this.walkRoot(operation.selectionSet, this.schema.getRootType(operation.operation));
  }

  checkFragment({ selectionSet, typeCondition, directives }: FragmentDefinitionNode): void {
    this.defaults = new Map();
    // The variables that stand in it count wherever it is spread, which operations tell.
    this.literals = new LiteralLimits({});
    this.begin();
    this.checkDirectives(directives);
    const name = typeCondition.name.value;
    this.walkRoot(selectionSet, this.typeNamed(name), name.startsWith('__'));
  }

  private begin(): void {
    this.aliases = 0;
    this.objects = 0;
    this.representations = 0;
    this.metaFields = 0;
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
    place: SelectionContext,
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
      this.checkDirectives(node.directives);
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const same = into.get(name);
        if (same) same.push({ node, parent });
        else into.set(name, [{ node, parent }]);
        this.countPairs(same ? same.length - 1 : 0);
        if (node.alias && (this.aliases += 1) > OPERATION_LIMITS.aliases) throw excess('aliases');
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const condition = node.typeCondition?.name.value;
        this.collect(node.selectionSet, condition === undefined ? parent : this.typeNamed(condition), into, spread);
      } else if (!spread.has(node.name.value)) {
        // A fragment is compared with the others of its place, and with the fields there.
        this.countPairs(spread.size + into.size);
        spread.add(node.name.value);
        const fragment = this.fragments.get(node.name.value);
        if (fragment)
          this.collect(fragment.selectionSet, this.typeNamed(fragment.typeCondition.name.value), into, spread);
      }
    }
  }

  private visitField(same: readonly Selected[], { depth, parents, pageSize, isMeta }: SelectionContext): void {
    const [{ node: first }] = same as [Selected];
    const meta = isMeta || first.name.value.startsWith('__');
    if (!meta && depth > OPERATION_LIMITS.depth) throw excess('depth');
    if (depth > MAX_META_DEPTH) throw new BadRequest(`Introspection is nested deeper than ${MAX_META_DEPTH} levels.`);
    if (depth === 1 && META_FIELDS.has(first.name.value)) this.countMetaField();
    let isComposite = false;
    let times = 1;
    let page = 0;
    const below: Parameters<LimitedWalk['walk']>[0][number][] = [];
    // Selections of one name may be of several types, of which an object has one: the largest counts.
    for (const { node, parent } of same) {
      for (const { value } of node.arguments ?? []) this.literals.add(value);
      const field = fieldOf(parent, node.name.value);
      const type = field && getNamedType(field.type);
      const composite = isCompositeType(type) ? type : undefined;
      isComposite ||= composite !== undefined;
      if (field) {
        times = Math.max(times, this.timesOf(field, node, pageSize));
        page = Math.max(page, this.pageSizeOf(field, node));
      }
      if (node.selectionSet) below.push({ selectionSet: node.selectionSet, type: composite });
    }
    const objects = parents * times;
    if (!meta && (isComposite || depth === 1)) this.objects += objects;
    if (below.length === 0) return;
    this.walk(below, { depth: depth + 1, parents: objects, pageSize: page || undefined, isMeta: meta });
  }

  /** How many objects a field can answer for each of its parent. */
  private timesOf(field: GraphQLField<unknown, unknown>, node: FieldNode, pageSize: number | undefined): number {
    if (field.name === '_entities') return this.countRepresentations(node);
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
    if (value?.kind !== Kind.VARIABLE) return plainValue(value);
    const { value: variable } = value.name;
    return Object.hasOwn(this.given, variable) ? this.given[variable] : plainValue(this.defaults.get(variable));
  }

  private typeNamed(name: string): GraphQLCompositeType | undefined {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  private countPairs(pairs: number): void {
    this.pairs += pairs;
    if (this.pairs > MAX_PAIRS) throw excess('complexity');
  }

  private checkDirectives(directives: readonly DirectiveNode[] | undefined): void {
    for (const directive of directives ?? []) {
      for (const { value } of directive.arguments ?? []) this.literals.add(value);
    }
  }

  private countMetaField(): void {
    this.metaFields += 1;
    if (this.metaFields > MAX_META_FIELDS) throw excess('complexity');
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
