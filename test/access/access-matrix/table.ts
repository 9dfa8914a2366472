import { CALLERS, SHOWN_TARGETS } from './callers.js';
import type { Target } from './callers.js';
import type { Finding, Row } from './matrix-run.js';

const HEADER = `
# What every operation answers to everybody: compared by test/access/access-matrix, and written anew by
# \`npm run access-matrix\`. Read the difference as a change of who may do what. What is said behind a line stays.
#
# Whoever asks:
#   none       no credential                                      user      a user, signed in
#   expired    the token of a sysadmin that has expired           stranger  an administrator of another tenant
#   revoked    the token of a sysadmin who has signed out         admin     an administrator of the user's tenant
#   no scope   a personal access token of a sysadmin, without     sysadmin  a sysadmin of a third tenant
#              the scope that the operation needs                 service   a service key
#   pat        a personal access token of the user with all scopes
#
# A cell is the status of REST; for GraphQL that of the error, \`ok\`, or \`nul\` for an entity that is null. Where it
# depends on what an id names, it is four: what belongs to the user (or its tenant), to another user of the tenant (-
# where things of that kind belong to no user), to the stranger's tenant, and an id that nothing has. \`name=\` behind an
# operation is the id that is tried, where it has several or needs none; the others are the user's.
`.trimStart();
const NONE = '-';
const SEPARATOR = ' | ';

/** A line of the table: the operation and its cells, and what somebody has said of it. */
export interface TableLine {
  readonly name: string;
  readonly cells: string;
  readonly comment?: string;
}

/** The lines of the answers, below that of the callers. */
export function linesOfRows(rows: readonly Row[]): TableLine[] {
  const lines = rows.map(({ operation, answers }) => ({
    name: operation.name,
    cells: CALLERS.map((caller) => cellOf(answers[caller])).join(SEPARATOR),
  }));
  return [{ name: '', cells: CALLERS.join(SEPARATOR) }, ...lines];
}

/** The text of a table, sorted and aligned, with what stood behind the lines of the one before. */
export function formatTable(lines: readonly TableLine[], before: readonly TableLine[]): string {
  const comments = new Map(before.map(({ name, comment }) => [name, comment]));
  const table = lines.toSorted(byPlace).map(({ name, cells }) => ({ name, row: [name, ...cells.split(/ *\| /)] }));
  const widths = CALLERS.map((_caller, column) => Math.max(...table.map(({ row }) => (row[column] ?? '').length)));
  const texts = table.map(({ name, row }) => {
    const comment = comments.get(name);
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(SEPARATOR);
    return `${cells.trimEnd()}${comment ? `  # ${comment}` : ''}\n`;
  });
  return `${HEADER}\n${texts.join('')}`;
}

/** Reads the text of a table. */
export function readTable(text: string): TableLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [rest = '', comment] = line.split('  # ');
      const [name = '', ...cells] = rest.split(' | ');
      return { name: name.trimEnd(), cells: cells.join(' | ').trimEnd(), comment };
    });
}

/** What is otherwise than the table says, by operation; cells count, and not how they are aligned. */
export function differences(table: readonly TableLine[], now: readonly TableLine[]): string[] {
  const known = new Map(table.map(({ name, cells }) => [name, normal(cells)]));
  const current = new Map(now.map(({ name, cells }) => [name, normal(cells)]));
  return [
    ...[...current].flatMap(([name, cells]) => {
      const expected = known.get(name);
      if (expected === undefined) return [`New: ${name}\n  now ${cells}`];
      return expected === cells ? [] : [`Different: ${name}\n  was ${expected}\n  now ${cells}`];
    }),
    ...[...known.keys()].filter((name) => !current.has(name)).map((name) => `Missing: ${name}`),
  ];
}

function cellOf(answers: ReadonlyMap<Target, Finding>): string {
  const outcomes = SHOWN_TARGETS.map((target) => answers.get(target)?.outcome ?? NONE);
  const [first = NONE, ...others] = outcomes;
  if (others.every((outcome) => outcome === first || outcome === NONE)) return first;
  return outcomes
    .map((outcome) => outcome.padEnd(3))
    .join(' ')
    .trimEnd();
}

function normal(cells: string): string {
  return cells.replace(/ +/g, ' ');
}

/** REST by path, then the graph, then what is neither. */
function byPlace(one: TableLine, other: TableLine): number {
  if (one.name === '' || other.name === '') return Number(one.name !== '') - Number(other.name !== '');
  const [a, b] = [keyOf(one), keyOf(other)];
  return a < b ? -1 : Number(a > b);
}

function keyOf({ name }: TableLine): string {
  const [kind = '', path = '', ...rest] = name.split(' ');
  const isRest = kind === kind.toUpperCase();
  const group = isRest ? (path.startsWith('/v1/') ? 0 : 9) : ['query', 'mutation', 'subscription'].indexOf(kind) + 1;
  return [group, path, kind, ...rest].join(' ');
}
