import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { askProgram } from '../../../src/platform/programs/ask-program.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'program-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('asks a program once, however often and by how many its answer is needed', async () => {
  const program = await makeProgram('echo English');

  const answers = await Promise.all([askProgram(program, '--list'), askProgram(program, '--list')]);
  answers.push(await askProgram(program, '--list'));

  expect(answers).toEqual(['English\n', 'English\n', 'English\n']);
  expect(await countStarts()).toBe(1);
});

it('asks another question, and a program that has failed, again', async () => {
  const program = await makeProgram('[ "$1" = --list ] || exit 1');

  await askProgram(program, '--list');
  for (const _ of [1, 2]) await expect(askProgram(program, '--voices')).rejects.toThrow('Command failed');

  expect(await countStarts()).toBe(3);
});

async function makeProgram(answer: string): Promise<string> {
  const path = join(folder, 'program');
  await writeFile(path, `#!/bin/sh\necho started >>'${join(folder, 'starts')}'\n${answer}\n`);
  await chmod(path, 0o755);
  return path;
}

async function countStarts(): Promise<number> {
  return (await readFile(join(folder, 'starts'), 'utf8')).trim().split('\n').length;
}
