/** Lint rules of this project's own, for what no ready-made rule says (docs/architecture.md). */
import { dirname, join, relative, resolve } from 'node:path';

interface Node {
  readonly type: string;
  readonly source?: { readonly value: string } | null;
  readonly declaration?: Node | null;
  readonly decorators?: readonly Node[];
}

interface Context {
  readonly filename: string;
  readonly sourceCode: { getCommentsBefore(node: Node): readonly { readonly value: string }[] };
  report(problem: { node: Node; message: string }): void;
}

const SOURCE = resolve(import.meta.dirname, '../src');
/** The folders below `src/` that are no domain. */
const PLUMBING = new Set(['access', 'admission', 'cli', 'graph', 'http', 'platform', 'rest']);
/** Plumbing that serves every domain, so it may know none. */
const DOMAINLESS = new Set(['access', 'admission', 'graph', 'http', 'platform', 'rest']);
/** The files of the one module that opens connections to addresses that a user can influence. */
const EGRESS = new Set(['platform/net/egress.ts', 'platform/net/exchange.ts']);

/** What keeps a file of `src/` from importing another, if anything; both are paths below `src/`. */
function zoneProblem(from: string, to: string): string | undefined {
  const [fromFolder = '', fromRest] = from.split('/');
  const [domain = '', file] = to.split('/');
  if (fromRest === undefined || file === undefined || fromFolder === domain || PLUMBING.has(domain)) return undefined;
  if (DOMAINLESS.has(fromFolder)) return `src/${fromFolder} knows no domain.`;
  return file === 'domain.js' || file.endsWith('.types.js')
    ? undefined
    : `Other folders import src/${domain} through its domain.ts (or its .types.ts) only.`;
}

const importZones = {
  create: (context: Context) => {
    const from = relative(SOURCE, context.filename);
    const check = (node: Node) => {
      const specifier = node.source?.value;
      if (specifier === undefined || from.startsWith('..')) return;
      const to = relative(SOURCE, join(dirname(context.filename), specifier));
      const problem = specifier.startsWith('.')
        ? zoneProblem(from, to)
        : specifier === 'undici' && !EGRESS.has(from) && `Only src/${[...EGRESS][0]} imports a network client.`;
      if (problem) context.report({ node, message: problem });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ImportExpression: check };
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

export default {
  meta: { name: 'platform' },
  rules: { 'import-zones': importZones, 'no-enum': noEnum, 'documented-exports': documentedExports },
};
