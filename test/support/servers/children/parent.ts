/** A process with a busy child, whose number it prints. */
import { Readable } from 'node:stream';
import { openPool, PROBE, trialOf, unaborted } from './probe.js';

const pool = openPool();
const answers = pool.run(PROBE, { task: trialOf('spin'), input: Readable.from([]), signal: unaborted() });
await answers.next();
console.log(pool.busyPids[0]);
// Keeps the child, and with it this process.
await answers.next();
