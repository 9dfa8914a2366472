/** Starts a program that does not end, prints its number, and waits. */
import { RunningProgram } from '../../../src/platform/programs/running-program.js';

const program = new RunningProgram({ program: '/bin/sh', args: ['-c', 'echo $$; sleep 60'] });
(await program.socket)?.on('data', (said: Buffer) => process.stdout.write(said));
