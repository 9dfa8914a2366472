import type { Endpoint } from './endpoint.js';

/** The operations of one path and method, the conditional ones first. */
export interface Route {
  readonly endpoints: readonly Endpoint[];
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  variable?: Node;
  readonly methods: Map<string, Operations>;
}

interface Operations {
  readonly endpoints: readonly Endpoint[];
  readonly variableNames: readonly string[];
}

/** Finds the operations of a path. Literal segments win over variable ones. */
export class Router {
  private readonly root = newNode();
  /** Paths without variables, which are most of what is asked for. */
  private readonly literalPaths = new Map<string, Node>();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.add(endpoint);
  }

  /**
   * @param path without its query
   * @returns undefined where no operation has this path, the allowed methods where none has this method
   */
  match(method: string, path: string): Route | { readonly allow: readonly string[] } | undefined {
    const values: string[] = [];
    const node = this.literalPaths.get(path) ?? find(this.root, path.split('/').slice(1), 0, values);
    if (!node) return undefined;
    const operations = method === 'HEAD' ? readableAt(node) : node.methods.get(method);
    if (!operations) return { allow: allowed(node) };
    const { endpoints, variableNames } = operations;
    return { endpoints, params: Object.fromEntries(variableNames.map((name, index) => [name, values[index] ?? ''])) };
  }

  private add(endpoint: Endpoint): void {
    let node = this.root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        node = node.variable ??= newNode();
      } else {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    const endpoints = [...(node.methods.get(endpoint.method)?.endpoints ?? []), endpoint];
    endpoints.sort((a, b) => Number(!a.when) - Number(!b.when));
    const variableNames = variableNamesOf(endpoint.path);
    node.methods.set(endpoint.method, { endpoints, variableNames });
    if (variableNames.length === 0) this.literalPaths.set(endpoint.path, node);
  }
}

function newNode(): Node {
  return { literals: new Map(), methods: new Map() };
}

function find(node: Node, segments: readonly string[], index: number, values: string[]): Node | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.methods.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  const found = literal && find(literal, segments, index + 1, values);
  if (found || !node.variable) return found;
  const value = decode(segment);
  if (!value) return undefined;
  values.push(value);
  const below = find(node.variable, segments, index + 1, values);
  if (!below) values.pop();
  return below;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function allowed(node: Node): string[] {
  const methods = [...node.methods.keys()];
  return (readableAt(node) ? [...methods, 'HEAD'] : methods).sort();
}

/** What a HEAD asks for: the GET of a path, unless that changes something. */
function readableAt({ methods }: Node): Operations | undefined {
  const operations = methods.get('GET');
  return operations?.endpoints.every(({ operation }) => operation !== 'Mutation') ? operations : undefined;
}

function variableNamesOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
