import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NOT_OF_CALLERS, RESOURCES } from './resource-places.js';

describe('what callers may take of the machine', () => {
  it('is told of each place of the sources that takes something', () => {
    const listed = [...Object.values(RESOURCES), ...Object.values(NOT_OF_CALLERS)].flat();

    const found = [...takers()];

    expect(found.filter((file) => !listed.some((entry) => fileOf(entry) === file))).toEqual([]);
    expect(listed.filter((entry) => !isThere(entry, found))).toEqual([]);
  });

  it('is a row of the table for each resource, and no other', () => {
    expect(rows()).toEqual(Object.keys(RESOURCES));
  });
});

/** By these a file is known that takes something of the machine, beside a turn of the event loop. */
const MARKS: Readonly<Record<string, RegExp>> = {
  'a process or thread': /from 'node:(child_process|worker_threads)'|new (RunningProgram|EngineProgram|ChildPool)\(/,
  'work of another thread': /processLauncher\.launch\(|\bpromisify\(argon2|\bcreate(Gunzip|Inflate)\(/,
  disk: /\.folderFor\(|\bcreateWriteStream\(|\bmkdtemp\(/,
  'places or a budget':
    /new (CallerPlaces|FairSlots|WorkTurns|RequestTurns|ConcurrencyGate|SharedBudget|ByteBudget)\(|\bpLimit\(/,
  connections:
    /from '(undici|nodemailer|@aws-sdk\/client-s3|@redis\/client)'|\bconnect as |import \{ createServer\b.*'node:https?'|new WebSocketServer\(|\bauthorizationCodeGrant\(/,
  jobs: /\batOnce: \d/,
  'a query over many rows':
    /count\(\*\)|\bsum\([a-z_]+\)(::| AS)|GROUP BY|tsquery|<=>|\bcountAtMost\(|\blongReads\.run\(/,
};
/** Types take nothing, and migrations run once. */
const OTHERS = /\/migrations\/|\.types\.ts$/;
const COMMENTS_AND_TYPES = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import type .*$/gm;

function* takers(): Generator<string> {
  for (const path of globSync('src/**/*.ts').sort()) {
    if (OTHERS.test(path)) continue;
    const text = readFileSync(path, 'utf8').replaceAll(COMMENTS_AND_TYPES, '');
    if (Object.values(MARKS).some((mark) => mark.test(text))) yield path.slice('src/'.length);
  }
}

function fileOf(entry: string): string {
  return entry.split('#')[0] ?? entry;
}

/** Whether the file takes something still, or has the text. */
function isThere(entry: string, found: readonly string[]): boolean {
  const [file = '', text] = entry.split('#');
  const path = join('src', file);
  return text === undefined ? found.includes(file) : existsSync(path) && readFileSync(path, 'utf8').includes(text);
}

/** The first cells of the table. */
function rows(): string[] {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(
    '## What callers may take of the machine\n',
  );
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => (cell === 'Resource' ? [] : [cell]));
}
