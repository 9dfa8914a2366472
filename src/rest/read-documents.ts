import { globSync, readFileSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import {
  buildSchema,
  getDirectiveValues,
  Kind,
  parse,
  Source,
  typeFromAST,
  validate,
  isNonNullType,
  visit,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLDirective,
  GraphQLInputType,
  OperationDefinitionNode,
  ValueNode,
  VariableDefinitionNode,
} from 'graphql';
import type { Graph } from '../graph/graph.js';
import { answerProblem } from './answer-check.js';
import { isReadStream, REDIRECT_STATUS } from './endpoint.js';
import type { Binding, Condition, Endpoint, FileParts } from './endpoint.js';

const OPERATIONS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** The directives that are ours, and not the graph's. */
const STRIPPED = new Set(['rest', 'body', 'file', 'header']);

/** The fragments that the documents of a domain share. */
const FRAGMENTS = 'fragments.graphql';

/** What may be read beside a body with files. */
const BESIDE_FILES: ReadonlySet<Binding['source']> = new Set(['files', 'header', 'path', 'query']);

/** The directives that have arguments. */
interface Directives {
  readonly rest: GraphQLDirective;
  readonly file: GraphQLDirective;
  readonly header: GraphQLDirective;
}

interface RestArguments {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly status: number;
  readonly when?: string;
  readonly envelope: Endpoint['envelope'];
  readonly raw?: string;
  readonly location?: string;
  readonly redirect?: string;
  readonly errors: readonly number[];
  readonly stream?: Endpoint['stream'];
  readonly produces: Endpoint['produces'];
  readonly media: Endpoint['media'];
}

/**
 * Reads the REST documents of the served domains and checks them against the graph.
 * @param folder `schema/rest`, with a folder for each domain
 * @throws Error that lists every document that cannot be served, and why
 */
export function readEndpoints(folder: string, domains: readonly string[], graph: Graph): Endpoint[] {
  const directives = readDirectives(folder);
  const problems: string[] = [];
  const endpoints: Endpoint[] = [];
  for (const domain of domains) {
    const files = globSync('*.graphql', { cwd: join(folder, domain) }).sort();
    const shared = files.includes(FRAGMENTS) ? readDocument(folder, join(domain, FRAGMENTS)).definitions : [];
    for (const file of files.filter((name) => name !== FRAGMENTS)) {
      const where = `${domain}/${file}`;
      try {
        const { kind, definitions } = readDocument(folder, where);
        const document = { kind, definitions: [...definitions, ...shared] };
        for (const operation of operationsOf(document)) {
          const origin = { domain, file: join(folder, domain, parsePath(file).name) };
          endpoints.push({ ...origin, ...new DocumentReader(graph, document, operation, directives).read() });
        }
      } catch (error) {
        problems.push(`${where}: ${(error as Error).message}`);
      }
    }
  }
  problems.push(...collisions(endpoints));
  if (problems.length > 0) throw new Error(`REST documents that cannot be served:\n  - ${problems.join('\n  - ')}`);
  return endpoints;
}

function readDocument(folder: string, path: string): DocumentNode {
  return parse(new Source(readFileSync(join(folder, path), 'utf8'), path));
}

function readDirectives(folder: string): Directives {
  const sdl = readFileSync(join(folder, 'directive.graphql'), 'utf8');
  const schema = buildSchema(`${sdl}\ntype Query { unused: Boolean }`);
  const [rest, file, header] = ['rest', 'file', 'header'].map((name) => schema.getDirective(name));
  if (!rest || !file || !header) throw new Error('directive.graphql does not define @rest, @file and @header.');
  return { rest, file, header };
}

function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

/** Turns one operation into an endpoint; every method throws where the operation cannot be served. */
class DocumentReader {
  private readonly name: string;

  constructor(
    private readonly graph: Graph,
    private readonly file: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly directives: Directives,
  ) {
    if (!operation.name) throw new Error('an operation has no name');
    this.name = operation.name.value;
  }

  read(): Omit<Endpoint, 'domain' | 'file'> {
    const rest = getDirectiveValues(this.directives.rest, this.operation) as RestArguments | undefined;
    if (!rest) throw new Error(`${this.name} has no @rest`);
    const root = this.rootField();
    const operation = OPERATIONS[this.operation.operation];
    const isRedirect = rest.redirect !== undefined;
    if (rest.method === 'GET' && operation !== 'Query' && !isRedirect && !isReadStream(rest.stream)) {
      throw new Error(`${this.name} is a GET and not a query`);
    }
    if (isRedirect !== (rest.status === REDIRECT_STATUS)) {
      throw new Error(`${this.name}: a redirect has the status ${REDIRECT_STATUS}, and nothing else has it`);
    }
    if ((rest.stream !== undefined) !== (operation === 'Subscription')) {
      throw new Error(`${this.name}: a subscription has a stream, and nothing else has one`);
    }
    const bindings = this.bindings(rest);
    const document = this.executable();
    const [problem] = validate(this.graph.schema, document);
    if (problem) throw new Error(`${this.name}: ${problem.message}`);
    const type = this.graph.schema.getRootType(this.operation.operation)?.getFields()[root.name.value]?.type;
    const unshaped = type && answerProblem(rest, root, type, document);
    if (unshaped) throw new Error(`${this.name}: ${unshaped}`);
    return {
      ...rest,
      name: this.name,
      when: rest.when === undefined ? undefined : conditionOf(rest.when),
      document,
      operation,
      rootField: (root.alias ?? root.name).value,
      bindings,
      parts: this.fileParts(bindings),
      wireNames: wireNamesOf(root),
      access: this.graph.accessOf(operation, root.name.value),
    };
  }

  private rootField(): FieldNode {
    const [field, ...others] = this.operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || others.length > 0) throw new Error(`${this.name} needs exactly one root field`);
    return field;
  }

  /** The operation without our directives, and the fragments that it uses. */
  private executable(): DocumentNode {
    const stripped = visit(this.operation, {
      Directive: (node) => (STRIPPED.has(node.name.value) ? null : undefined),
    });
    const fragments = new Map<string, FragmentDefinitionNode>();
    const collect = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
      visit(node, { FragmentSpread: (spread) => void include(spread.name.value) });
    };
    const include = (name: string): void => {
      const fragment = this.file.definitions.find(
        (entry) => entry.kind === Kind.FRAGMENT_DEFINITION && entry.name.value === name,
      ) as FragmentDefinitionNode | undefined;
      if (!fragment || fragments.has(name)) return;
      fragments.set(name, fragment);
      collect(fragment);
    };
    collect(stripped);
    return { kind: Kind.DOCUMENT, definitions: [stripped, ...fragments.values()] };
  }

  private bindings(rest: RestArguments): Binding[] {
    const segments = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    const bindings = (this.operation.variableDefinitions ?? []).map((node) => this.binding(node, rest, segments));
    const declared = new Set(bindings.map((binding) => binding.name));
    const missing = [...segments].filter((segment) => !declared.has(segment));
    if (missing.length > 0) throw new Error(`${this.name}: no variable for the path segment ${missing.join(', ')}`);
    return bindings;
  }

  /** What the body may have where it has files. */
  private fileParts(bindings: readonly Binding[]): FileParts | undefined {
    const files = bindings.filter(({ source }) => source === 'files');
    if (files.length === 0) return undefined;
    const isAlone = files.length === 1 && bindings.every(({ source }) => BESIDE_FILES.has(source));
    if (!isAlone || files[0]?.required)
      throw new Error(`${this.name}: one variable is bound to files, may be absent, and has the body to itself`);
    const node = this.operation.variableDefinitions?.find((one) => one.variable.name.value === files[0]?.name);
    return getDirectiveValues(this.directives.file, node ?? {}) as unknown as FileParts;
  }

  private binding(node: VariableDefinitionNode, rest: RestArguments, segments: ReadonlySet<string>): Binding {
    const name = node.variable.name.value;
    const type = typeFromAST(this.graph.schema, node.type) as GraphQLInputType;
    const isMarked = (by: string) => isMarkedBy(node, by);
    // A body of files has no fields of an operation.
    const hasFiles = this.operation.variableDefinitions?.some((one) => isMarkedBy(one, 'file'));
    const fields = hasFiles || rest.method === 'GET' || rest.method === 'DELETE' ? 'query' : 'body';
    const body = isMarked('file') ? 'files' : isMarked('body') ? 'whole-body' : fields;
    const { name: header } = getDirectiveValues(this.directives.header, node) ?? {};
    const source = segments.has(name) ? 'path' : header === undefined ? body : 'header';
    return {
      name,
      source,
      header: header as string | undefined,
      type,
      required: isNonNullType(type) && node.defaultValue === undefined,
    };
  }
}

function isMarkedBy(node: VariableDefinitionNode, directive: string): boolean {
  return node.directives?.some(({ name }) => name.value === directive) ?? false;
}

function conditionOf(when: string): Condition {
  const [name = '', value] = when.split('=');
  return { name, value };
}

/** Follows each variable through the root field's arguments: `patch: { plan: $plan }` gives `patch.plan` → `plan`. */
function wireNamesOf(root: FieldNode): Map<string, string> {
  const names = new Map<string, string>();
  const follow = (path: string, value: ValueNode): void => {
    if (value.kind === Kind.VARIABLE) names.set(path, value.name.value);
    if (value.kind === Kind.OBJECT)
      for (const field of value.fields) follow(`${path}.${field.name.value}`, field.value);
  };
  for (const argument of root.arguments ?? []) follow(argument.name.value, argument.value);
  return names;
}

/** Two operations on one path need different conditions and one access rule: it is applied before the body is read. */
function collisions(endpoints: readonly Endpoint[]): string[] {
  const problems: string[] = [];
  const taken = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const route = `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`;
    const key = `${route} when ${endpoint.when ? `${endpoint.when.name}=${endpoint.when.value ?? 'true'}` : '-'}`;
    if (taken.has(key)) problems.push(`${endpoint.name}: ${route} is taken by ${taken.get(key)?.name}`);
    const sibling = taken.get(route);
    if (sibling && JSON.stringify(sibling.access.rule) !== JSON.stringify(endpoint.access.rule)) {
      problems.push(`${endpoint.name}: ${route} has another access rule than ${sibling.name}`);
    }
    if (sibling && (sibling.parts ?? endpoint.parts)) {
      problems.push(`${endpoint.name}: ${route} has files, and no other operation`);
    }
    taken.set(key, endpoint).set(route, endpoint);
  }
  return problems;
}
