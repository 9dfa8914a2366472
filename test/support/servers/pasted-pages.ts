import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Block, ManualPage } from '../builders/manual-pages.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Where the pages say that the server is. */
const ADDRESS = 'http://127.0.0.1:8080';

/** What a reader has pasted into a shell, and what came of it. */
export interface PastedPages {
  /** Commands that have failed, each with its page and line. */
  readonly failures: readonly string[];
  /** What curl has asked, in this order. */
  readonly calls: readonly PastedCall[];
  /** All that was written to the terminal. */
  readonly output: string;
}

/** A call of curl: its page and line, and what came. */
export interface PastedCall {
  readonly path: string;
  readonly line: number;
  readonly status: number;
  readonly body: string;
}

/**
 * Runs the blocks of pages one after another in one shell, in an empty folder.
 * @param url of the server
 * @param replaced what a reader puts in the place of what stands there, such as an address
 */
export async function paste(
  pages: readonly ManualPage[],
  url: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<PastedPages> {
  const folder = mkdtempSync(join(tmpdir(), 'pasted-'));
  try {
    for (const name of ['calls', 'work']) mkdirSync(join(folder, name));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'work/node_modules'));
    const texts = { ...replaced, [ADDRESS]: url };
    for (const page of pages) writePage(folder, page, (text) => replaceAll(text, texts));
    writeFileSync(join(folder, 'main.sh'), SHELL + pages.map(({ path }) => `source "$FOLDER/${path}"\n`).join(''));
    const output = await runShell(folder);
    return { output, failures: readLines(join(folder, 'failures')), calls: readCalls(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Bash stops at the first command that fails, and says where that stands. Its curl notes what was answered, and the line
 * of the page that has called it, be it in a function or in a substitution.
 */
const SHELL = `
set -eEo pipefail
trap 'echo "\${BASH_SOURCE[0]#"$FOLDER/"}:$LINENO: $BASH_COMMAND" >>"$FOLDER/failures"' ERR
curl() {
  local call
  call=$(mktemp "$FOLDER/calls/XXXXXX")
  echo "$call \${BASH_LINENO[-3]} \${BASH_SOURCE[-2]#"$FOLDER/"}" >>"$FOLDER/log"
  command curl -S -D "$call.head" "$@" | tee "$call.body"
}
npm() { echo 'npm is for the folder of the server, where no page is run.' && return 1; }
cd "$FOLDER/work"
`;

/** The page as a script whose lines are those of the page, so that the shell tells them; a program is a file beside it. */
function writePage(folder: string, page: ManualPage, fill: (text: string) => string): void {
  const script = page.lines.map(() => '');
  for (const block of page.programs) {
    if (block.language === 'js') {
      const file = `example-${block.line}.mjs`;
      writeFileSync(join(folder, 'work', file), fill(block.lines.join('\n')));
      script[block.line - 1] = `node ${file}`;
    } else commandsOf(block).forEach((line, index) => (script[block.line + index] = line));
  }
  mkdirSync(dirname(join(folder, page.path)), { recursive: true });
  writeFileSync(join(folder, page.path), fill(script.join('\n')));
}

/** The lines of a block without what was answered: in a `console` block, what is typed stands behind `$` and `>`. */
function commandsOf({ language, lines }: Block): readonly string[] {
  if (language !== 'console') return lines;
  return lines.map((line) => /^[$>] ?(.*)$/.exec(line)?.[1] ?? '');
}

function replaceAll(text: string, replaced: Readonly<Record<string, string>>): string {
  return Object.entries(replaced).reduce((done, [from, to]) => done.replaceAll(from, to), text);
}

function runShell(folder: string): Promise<string> {
  const env = { PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`, HOME: folder, FOLDER: folder };
  return new Promise((resolve) => {
    // What waits for ever is ended with all that it has started.
    execFile('timeout', ['110', 'bash', join(folder, 'main.sh')], { env }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error ? `\nThe shell has ended with ${error.code}.` : ''}`);
    });
  });
}

function readCalls(folder: string): PastedCall[] {
  return readLines(join(folder, 'log')).map((entry) => {
    const [file = '', line, path = ''] = entry.split(' ');
    const heads = [...read(`${file}.head`).matchAll(/^HTTP\/\S+ (\d+)/gm)];
    return { path, line: Number(line), status: Number(heads.at(-1)?.[1] ?? 0), body: read(`${file}.body`) };
  });
}

function readLines(file: string): string[] {
  return read(file).split('\n').filter(Boolean);
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
