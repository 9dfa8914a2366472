import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../../platform/programs/find-program.js';
import type { LanguagePair } from '../language-pairs.js';

/** `eng-spa.mode`, `spa-eng_US.mode`; those with more parts are for developers of a pair. */
const MODE_FILE = /^([a-z]{2,3}(?:_[A-Za-z]{2,4})?)-([a-z]{2,3}(?:_[A-Za-z]{2,4})?)\.mode$/;
const MOST_MODES = 500;
/** A word of a mode file: quoted, or without blanks and whatever else means something to a shell. */
const WORD = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"|&;<>()$`\\*?[\]#~=%!{}]+|\$[12])|(\|))/y;

/** A pair that is installed, and the programs that translate it one after the other. */
export interface ApertiumMode extends LanguagePair {
  /** Absolute paths, and arguments. */
  readonly programs: readonly (readonly [string, ...string[]])[];
}

/**
 * The pairs that are installed in a folder, the first of each pair only. What is written in another way than mode files
 * are, or needs a program that is not there, is left out.
 * @param folder such as `/usr/share/apertium/modes`
 */
export async function readApertiumModes(folder: string): Promise<ApertiumMode[]> {
  const names = (await readdir(folder).catch(() => [])).sort().slice(0, MOST_MODES);
  const modes = new Map<string, ApertiumMode>();
  for (const name of names) {
    const mode = await readMode(folder, name);
    const key = mode && `${mode.source} ${mode.target}`;
    if (key && !modes.has(key)) modes.set(key, mode);
  }
  return [...modes.values()];
}

async function readMode(folder: string, name: string): Promise<ApertiumMode | undefined> {
  const [, from, to] = MODE_FILE.exec(name) ?? [];
  const [source, target] = [toTag(from), toTag(to)];
  if (source === undefined || target === undefined) return undefined;
  const content = await readFile(join(folder, name), 'utf8').catch(() => '');
  const commands = parseMode(content.trim());
  const programs: [string, ...string[]][] = [];
  for (const [program = '', ...args] of commands ?? []) {
    const path = await findProgram(program);
    if (path === undefined) return undefined;
    // A NUL ends each text, and each program writes what it has when it sees one.
    programs.push([path, '-z', ...args]);
  }
  return programs.length === 0 ? undefined : { source, target, programs };
}

/** Commands of a pipeline; `$1` says how unknown words are written, as they are; `$2` asks for nothing. */
function parseMode(content: string): string[][] | undefined {
  const commands: string[][] = [[]];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < content.length) {
    const match = WORD.exec(content);
    if (!match) return undefined;
    const [, single, double, bare, pipe] = match;
    if (pipe !== undefined) commands.push([]);
    else if (bare === '$1') commands.at(-1)?.push('-n');
    else if (bare !== '$2') commands.at(-1)?.push(single ?? double ?? bare ?? '');
  }
  return commands.every(([program]) => program !== undefined) ? commands : undefined;
}

/** BCP 47 of the code of a mode: `en-US` of `eng_US`. */
function toTag(code: string | undefined): string | undefined {
  try {
    return code === undefined ? undefined : Intl.getCanonicalLocales(code.replace('_', '-'))[0];
  } catch {
    return undefined;
  }
}
