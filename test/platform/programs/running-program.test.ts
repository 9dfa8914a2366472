import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { RunningProgram } from '../../../src/platform/programs/running-program.js';
import { eventually } from '../../support/probes/eventually.js';

describe('a program of the machine', () => {
  it('reads what is written, and its answer is read to the end', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'abcdefg');
    const program = new RunningProgram({ program: '/bin/cat', args: ['-'] });
    const socket = await program.socket;

    socket?.end(bytes);

    expect(socket && (await buffer(socket)).equals(bytes)).toBe(true);
    expect(await program.ended).toBe(0);
  });

  it('runs in its folder, with arguments as they are and without the environment of the server', async () => {
    const script = 'pwd; echo "$1"; env | cut -d= -f1 | sort | tr "\\n" " "';
    const args = ['-c', script, 'sh', `a 'b' "c" $HOME; *`];
    const program = new RunningProgram({ program: '/bin/sh', args, folder: '/usr' });
    const socket = await program.socket;

    expect(socket && (await text(socket))).toBe(`/usr\na 'b' "c" $HOME; *\nLANG LC_ALL PWD `);
  });

  it('gives way to the server where both want the same processor', async () => {
    const program = new RunningProgram({ program: '/bin/sh', args: ['-c', 'read line; nice'] });
    const socket = await program.socket;

    socket?.write('\n');

    expect(socket && Number(await text(socket))).toBe(getPriority() + 5);
  });

  it('that cannot be started has ended, and has written nothing', async () => {
    const program = new RunningProgram({ program: '/nowhere/program', args: [] });
    const socket = await program.socket;

    expect(socket && (await text(socket))).toBe('');
    expect(await program.ended).toBe(127);
  });

  it('that is killed ends with whatever it has started, also before it has begun', async () => {
    const program = new RunningProgram({ program: '/bin/sh', args: ['-c', 'sleep 60 & echo $!; wait'] });
    const [said] = (await once((await program.socket) ?? process, 'data')) as [Buffer];
    const early = new RunningProgram({ program: '/bin/sleep', args: ['60'] });

    program.kill();
    early.kill();

    expect([await program.ended, await early.ended]).toEqual([null, null]);
    await eventually('what it had started has ended', 5, () => !isAlive(Number(said)));
  });

  it('ends with the server, however that has ended', async () => {
    const args = ['--import', 'tsx', 'test/support/servers/program-owner.ts'];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(owner.stdout, 'data')) as [Buffer];
    expect(isAlive(Number(said))).toBe(true);

    owner.kill('SIGKILL');

    await eventually('the program has ended', 5, () => !isAlive(Number(said)));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
