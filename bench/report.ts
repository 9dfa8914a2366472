import { cpus, totalmem, type } from 'node:os';
import type { Figures } from './measure.js';

/** Every round's figures of one server. */
export interface ServerFigures {
  readonly name: string;
  readonly rounds: readonly Figures[];
}

/** What was run, for the head of the report. */
export interface RunNotes {
  readonly command: string;
  readonly rounds: number;
  readonly pinned: boolean;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

function print(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toFixed(Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2);
}

/** Which rows are compared with the bare proxy, and how. */
function compare(row: string, value: number, bare: number): string {
  if (row.includes('/s')) return ` (${(value / bare).toFixed(2)}×)`;
  if (row.includes(' at 1 connection, ms')) return ` (+${(value - bare).toFixed(2)})`;
  return '';
}

/** The table, one column a server, medians of the rounds; the first server is what the others are compared with. */
export function report(servers: readonly ServerFigures[], notes: RunNotes): string {
  const rows = [...new Set(servers.flatMap((server) => server.rounds.flatMap(Object.keys)))];
  const of = (server: ServerFigures | undefined, row: string) =>
    median((server?.rounds ?? []).flatMap((figures) => figures[row] ?? []));
  const line = (row: string) => {
    const cells = servers.map((server, index) => {
      const value = of(server, row);
      return print(value) + (index > 0 && Number.isFinite(value) ? compare(row, value, of(servers[0], row)) : '');
    });
    return `| ${row} | ${cells.join(' | ')} |`;
  };
  const core = notes.pinned
    ? 'The server under test has one core to itself; the upstream, the client and PostgreSQL share the rest.'
    : 'All processes share all cores.';
  return `# Benchmark results

\`${notes.command}\` on ${new Date().toISOString().slice(0, 10)}: ${type()}, ${cpus().length} × ${cpus()[0]?.model.trim()},
${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. ${core}
Medians of ${notes.rounds} rounds in turn; × is the share of the bare proxy in the same run, + is what is added to it.
This server runs with authentication, request limits, metering and logging on. A delay is from the upstream's write to the
client's read.

| | ${servers.map((server) => server.name).join(' | ')} |
|---|${'---:|'.repeat(servers.length)}
${rows.map(line).join('\n')}
`;
}
