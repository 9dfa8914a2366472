import { readdirSync, readFileSync } from 'node:fs';

/** What a server and all processes that it has started take of the machine. */
export interface Taken {
  /** Of the server's own process. */
  readonly residentMib: number;
  /** Of the processes below it. */
  readonly childrenMib: number;
  /** How many of the processes below it run each program, by its name. */
  readonly programs: Readonly<Record<string, number>>;
}

interface ProcessRow {
  readonly parent: number;
  readonly name: string;
  readonly residentMib: number;
}

const PAGES_A_MIB = 256;

/** @param pid of the server */
export function takenBy(pid: number): Taken {
  const rows = processes();
  const below = [...rows].filter(([own]) => own !== pid && isBelow(rows, own, pid)).map(([, row]) => row);
  const programs: Record<string, number> = {};
  for (const { name } of below) programs[name] = (programs[name] ?? 0) + 1;
  return {
    residentMib: rows.get(pid)?.residentMib ?? 0,
    childrenMib: below.reduce((sum, { residentMib }) => sum + residentMib, 0),
    programs,
  };
}

function processes(): Map<number, ProcessRow> {
  const rows = new Map<number, ProcessRow>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name stands in brackets, and may have any character.
      const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      const fields = rest.split(' ');
      rows.set(Number(entry), { name, parent: Number(fields[1]), residentMib: Number(fields[21]) / PAGES_A_MIB });
    } catch {
      // It has ended meanwhile.
    }
  }
  return rows;
}

function isBelow(rows: ReadonlyMap<number, ProcessRow>, pid: number, root: number): boolean {
  for (let at = rows.get(pid)?.parent; at !== undefined && at > 1; at = rows.get(at)?.parent)
    if (at === root) return true;
  return false;
}
