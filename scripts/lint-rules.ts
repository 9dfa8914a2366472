/** Lint rules of this project's own, for what no ready-made rule says (docs/architecture.md). */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

interface Node {
  readonly type: string;
  readonly source?: { readonly value: unknown } | null;
  readonly declaration?: Node | null;
  readonly decorators?: readonly Node[];
}

interface ImportDeclaration extends Node {
  readonly specifiers: readonly { readonly local: { readonly name: string }; readonly imported?: { name: string } }[];
}

interface CallExpression extends Node {
  readonly callee: Node;
  readonly arguments: readonly (Node & { readonly name?: string })[];
}

interface Context {
  readonly filename: string;
  readonly sourceCode: {
    readonly text: string;
    getCommentsBefore(node: Node): readonly { readonly value: string }[];
  };
  report(problem: { node: Node; message: string }): void;
}

const SOURCE = resolve(import.meta.dirname, '../src');
/** Plumbing that serves every domain, so it may know none. */
const DOMAINLESS = new Set(['access', 'admission', 'graph', 'http', 'platform', 'rest']);
/** The folders below `src/` that are no domain. */
const PLUMBING = new Set([...DOMAINLESS, 'cli']);
/** The files beside the folders that everything may import; all others know every domain, so nothing else may know them. */
const COMMON_FILES = new Set(['context.js', 'domain-module.js', 'errors.js']);
/** The files that open connections to addresses that a user can influence. */
const EGRESS = new Set([
  'platform/net/egress.ts',
  'platform/net/exchange.ts',
  'platform/net/pages/page-connections.ts',
]);

const DOMAINS_FILE = 'domains.ts';
/** The folders of the domains, in the order of `domains.ts`. */
const domains = readDomains();

function readDomains(): readonly string[] {
  const text = readFileSync(join(SOURCE, DOMAINS_FILE), 'utf8');
  const folders = new Map(
    [...text.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\/domain\.js'/g)].map(([, name, folder]) => [name, folder]),
  );
  return [...text.matchAll(/\.add\((\w+)\)/g)].flatMap(([, name]) => folders.get(name) ?? []);
}

/** The first folder of a path below `src/`; undefined for the files beside the folders. */
function folderOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined;
}

/** What keeps a file of `src/` from importing another, if anything; both are paths below `src/`. */
function zoneProblem(from: string, to: string): string | undefined {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (other === undefined) {
    const isFree = COMMON_FILES.has(to) || own === 'cli' || (own === undefined && !isCommon(from));
    return isFree
      ? undefined
      : `src/${to.replace(/js$/, 'ts')} knows every domain, so nothing that they use imports it.`;
  }
  if (own === other || PLUMBING.has(other)) return undefined;
  if (own !== undefined && DOMAINLESS.has(own)) return `src/${own} knows no domain.`;
  if (own === undefined && from !== DOMAINS_FILE) return `src/${from} knows domains through src/${DOMAINS_FILE} only.`;
  if (!/^[^/]+\/domain\.js$|\.types\.js$/.test(to)) {
    return `Other folders import src/${other} through its domain.ts (or its .types.ts) only.`;
  }
  if (own === undefined || own === 'cli' || isBefore(other, own)) return undefined;
  return `src/${own} comes before src/${other} in src/${DOMAINS_FILE}.`;
}

function isCommon(file: string): boolean {
  return COMMON_FILES.has(file.replace(/ts$/, 'js'));
}

/** Whether a domain is listed, before another one where that is listed too. */
function isBefore(domain: string, other: string): boolean {
  const [place, otherPlace] = [domains.indexOf(domain), domains.indexOf(other)];
  return place >= 0 && (otherPlace < 0 || place < otherPlace);
}

const importZones = {
  create: (context: Context) => {
    const from = relative(SOURCE, context.filename);
    const check = (node: Node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string' || from.startsWith('..')) return;
      const to = relative(SOURCE, join(dirname(context.filename), specifier));
      const problem = specifier.startsWith('.')
        ? zoneProblem(from, to)
        : specifier === 'undici' && !EGRESS.has(from) && `Only src/${[...EGRESS][0]} imports a network client.`;
      if (problem) context.report({ node, message: problem });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

/** SQL is written with its keywords in capitals. */
const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?(?:public\.)?"?(\w+)/g;
const ENTITY = /@Entity\((?:\{ *name: )?'(\w+)'[^]*?export class (\w+)/g;

/** The domain of each table, and of each entity class: that whose folder makes it. */
const owners = readOwners();

function readOwners(): Readonly<Record<'tables' | 'entities', ReadonlyMap<string, string>>> {
  const [tables, entities] = [new Map<string, string>(), new Map<string, string>()];
  for (const file of globSync(['**/*.entity.ts', '**/migrations/*.ts'], { cwd: SOURCE })) {
    const folder = folderOf(file);
    if (folder === undefined || PLUMBING.has(folder)) continue;
    const text = readFileSync(join(SOURCE, file), 'utf8');
    for (const [, table = '', name = ''] of text.matchAll(ENTITY)) {
      tables.set(table, folder);
      entities.set(name, folder);
    }
    for (const [, table = ''] of text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/g)) tables.set(table, folder);
  }
  return { tables, entities };
}

const foreignTables = {
  create: (context: Context) => {
    const path = relative(SOURCE, context.filename);
    const own = folderOf(path);
    // The files of migrations say what their foreign keys refer to.
    if (path.startsWith('..') || path.includes('/migrations/')) return {};
    const imported = new Map<string, string>();
    const report = (node: Node, name: string, owner: string | undefined) => {
      if (owner === undefined || owner === own) return;
      context.report({ node, message: `${name} belongs to src/${owner}: ask a port of its domain.ts.` });
    };
    const checkSql = (node: Node, text: string) => {
      for (const [, table = ''] of text.matchAll(TABLE)) report(node, table, owners.tables.get(table));
    };
    return {
      Literal: (node: Node & { readonly value?: unknown }) => {
        if (typeof node.value === 'string') checkSql(node, node.value);
      },
      TemplateElement: (node: Node & { readonly value: { readonly raw: string } }) => checkSql(node, node.value.raw),
      ImportDeclaration: ({ specifiers }: ImportDeclaration) => {
        for (const { local, imported: name } of specifiers) imported.set(local.name, name?.name ?? local.name);
      },
      // `getRepository(User)`, `tx.find(User, …)` and the like; `() => User` names a type of the graph or a foreign key.
      CallExpression: (node: CallExpression) => {
        const [first] = node.arguments;
        const name = first?.type === 'Identifier' ? imported.get(first.name ?? '') : undefined;
        if (node.callee.type === 'MemberExpression' && name !== undefined)
          report(node, name, owners.entities.get(name));
      },
    };
  },
};

const noEnum = {
  create: (context: Context) => ({
    TSEnumDeclaration: (node: Node) => context.report({ node, message: 'Use a union of string literals.' }),
  }),
};

const documentedExports = {
  create: (context: Context) => ({
    ExportNamedDeclaration: (node: Node) => {
      const comments = context.sourceCode.getCommentsBefore(node.declaration?.decorators?.[0] ?? node);
      if (!node.declaration || comments.some((comment) => comment.value.startsWith('*'))) return;
      context.report({ node, message: 'Every export has a docstring.' });
    },
  }),
};

const CLOCKS: Readonly<Record<string, readonly string[]>> = {
  performance: ['now'],
  process: ['cpuUsage', 'hrtime', 'memoryUsage', 'resourceUsage'],
};
const NO_MEASUREMENT =
  'A test must pass on a busy machine: count work, assert the order of events, or give the code a clock ' +
  '(jest.spyOn, jest.useFakeTimers). What is about time or memory is a *.proof.test.ts.';
const NO_SLEEP = 'Wait for the event, or for a state (eventually), and not for time to pass.';

interface Expression extends Node {
  readonly name?: string;
  readonly value?: unknown;
  readonly object?: Expression;
  readonly property?: Expression;
  readonly callee?: Expression;
  readonly arguments?: readonly Expression[];
  readonly params?: readonly Expression[];
  readonly body?: Expression | readonly Expression[];
  readonly expression?: Expression;
}

function isDateNow({ type, callee }: Expression): boolean {
  return type === 'CallExpression' && callee?.object?.name === 'Date' && callee.property?.name === 'now';
}

/** A variable: a name in capitals is a constant, with which a date is made. */
function isVariable({ type, name = '' }: Expression): boolean {
  return type === 'Identifier' && !/^[A-Z_\d]+$/.test(name);
}

/** Whether `new Promise((resolve) => setTimeout(resolve, 50))` is made. */
function isSleepingPromise({ callee, arguments: [executor] = [] }: Expression): boolean {
  if (callee?.name !== 'Promise' || !executor) return false;
  const [resolve] = executor.params ?? [];
  const { body } = executor;
  const only =
    body && 'type' in body && body.type === 'BlockStatement' ? (body.body as readonly Expression[])[0] : body;
  const call = (only as Expression | undefined)?.expression ?? (only as Expression | undefined);
  const [called, delay] = call?.arguments ?? [];
  return (
    call?.callee?.name === 'setTimeout' && called?.name === resolve?.name && delay !== undefined && delay.value !== 0
  );
}

const noWallClock = {
  create: (context: Context) => {
    /** By what names a file knows `setTimeout` of `node:timers/promises`. */
    const sleeps = new Set<string>();
    const hasFakeTimers = context.sourceCode.text.includes('useFakeTimers');
    return {
      ImportDeclaration: ({ source, specifiers }: ImportDeclaration) => {
        if (source?.value !== 'node:timers/promises') return;
        for (const { local, imported } of specifiers) if (imported?.name === 'setTimeout') sleeps.add(local.name);
      },
      MemberExpression: (node: Expression) => {
        const members = CLOCKS[node.object?.name ?? ''] ?? [];
        if (members.includes(node.property?.name ?? '')) context.report({ node, message: NO_MEASUREMENT });
      },
      BinaryExpression: (node: Node & { operator: string; left: Expression; right: Expression }) => {
        const { operator, left, right } = node;
        const isElapsed = (isDateNow(left) && isVariable(right)) || (isVariable(left) && isDateNow(right));
        if (operator === '-' && isElapsed) context.report({ node, message: NO_MEASUREMENT });
      },
      AwaitExpression: (node: Node & { argument: Expression }) => {
        if (sleeps.has(node.argument.callee?.name ?? '')) context.report({ node, message: NO_SLEEP });
      },
      NewExpression: (node: Expression) => {
        if (!hasFakeTimers && isSleepingPromise(node)) context.report({ node, message: NO_SLEEP });
      },
    };
  },
};

export default {
  meta: { name: 'platform' },
  rules: {
    'import-zones': importZones,
    'foreign-tables': foreignTables,
    'no-enum': noEnum,
    'no-wall-clock': noWallClock,
    'documented-exports': documentedExports,
  },
};
