/**
 * Writes the table of `docs/clients.md` from the tests of real clients, or compares it with them:
 *
 *   npm run clients:table                    runs the tests and writes; none may be left out
 *   npm run clients:check -- RESULTS.json    compares with what `npm test -- --json --outputFile=RESULTS.json` wrote;
 *                                            tests that were left out may stand in the table
 *
 * A row is a client whose name and version stand in the title of a group of tests. A test that begins with
 * `breaks by itself: ` proves what no server can mend.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/clients.md');
const TABLE = /(<!-- clients:begin -->\n)[^]*(<!-- clients:end -->)/;
const CLIENT = /^(\S+) (\d[\w.]*(?: \(recorded\))?)(?:, (.+))?$/;
const BREAKS = 'breaks by itself: ';
const SEPARATOR = ' · ';
const HEAD = '| Client | Version | What runs | What it breaks by itself |\n|---|---|---|---|\n';

interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

interface Row {
  readonly client: string;
  readonly version: string;
  readonly runs: string[];
  readonly breaks: string[];
}

const resultsFile = process.argv[2];
const problems = resultsFile === undefined ? write() : compare(readResults(resultsFile));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function write(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  const file = join(folder, 'results.json');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const folders = ['test/clients', 'test/routers'];
  spawnSync(process.execPath, [...jest, ...folders, '--json', `--outputFile=${file}`], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const results = readResults(file);
  rmSync(folder, { recursive: true });
  const others = results.filter(({ status }) => status !== 'passed');
  if (others.length > 0) return others.map((result) => `${result.status}: ${nameOf(result)}. Nothing is written.`);
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(TABLE, (_all, begin: string, end: string) => begin + tableOf(results) + end),
  );
  return [];
}

function compare(results: readonly TestResult[]): string[] {
  const written = new Set(entriesOf(TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? ''));
  const passed = entriesOf(tableOf(results.filter(({ status }) => status === 'passed')));
  const known = new Set(entriesOf(tableOf(results)));
  const differences = [
    ...passed.filter((entry) => !written.has(entry)).map((entry) => `Not in docs/clients.md: ${entry}`),
    ...[...written].filter((entry) => !known.has(entry)).map((entry) => `Not what the tests say: ${entry}`),
  ];
  return differences.length > 0 ? [...differences, 'Run `npm run clients:table`.'] : [];
}

function tableOf(results: readonly TestResult[]): string {
  const rows = new Map<string, Row>();
  for (const { ancestorTitles, title } of results) {
    const depth = ancestorTitles.findIndex((ancestor) => CLIENT.test(ancestor));
    const [, name, version, part] = CLIENT.exec(ancestorTitles[depth] ?? '') ?? [];
    if (name === undefined || version === undefined) continue;
    const client = part === undefined ? name : `${name}, ${part}`;
    const row = rows.get(client) ?? { client, version, runs: [], breaks: [] };
    rows.set(client, row);
    if (title.startsWith(BREAKS)) row.breaks.push(cell(title.slice(BREAKS.length)));
    else row.runs.push(cell([...ancestorTitles.slice(depth + 1), title].join(': ')));
  }
  const sorted = [...rows.values()].sort((a, b) => a.client.localeCompare(b.client));
  return HEAD + sorted.map((row) => `${lineOf(row)}\n`).join('');
}

function lineOf({ client, version, runs, breaks }: Row): string {
  const join = (entries: readonly string[]) => [...new Set(entries)].sort().join(SEPARATOR);
  return `| ${client} | ${version} | ${join(runs)} | ${join(breaks)} |`;
}

/** Each thing that a table says, one by one, so that rows can be compared in part. */
function entriesOf(table: string): string[] {
  return table.split('\n').flatMap((line) => {
    if (!line.startsWith('| ') || HEAD.startsWith(line)) return [];
    const [, client, version, runs = '', breaks = ''] = line.split('|').map((text) => text.trim());
    return [runs, breaks].flatMap((text, column) =>
      text === '' ? [] : text.split(SEPARATOR).map((entry) => `${client} ${version}: ${column ? BREAKS : ''}${entry}`),
    );
  });
}

/** A vertical bar would end the cell, and a dot the entry. */
function cell(text: string): string {
  return text.replaceAll('|', '/').replaceAll(SEPARATOR.trim(), '-');
}

function nameOf({ ancestorTitles, title }: TestResult): string {
  return [...ancestorTitles, title].join(' > ');
}

function readResults(file: string): readonly TestResult[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: readonly { assertionResults: readonly TestResult[] }[];
  };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}
