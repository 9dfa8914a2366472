/** A process with a busy child, whose number it prints. */
import { ask, openPool } from './probe.js';

const pool = openPool();
void ask(pool, 'spin').catch(() => undefined);
const timer = setInterval(() => {
  const [pid] = pool.busyPids;
  if (pid === undefined) return;
  clearInterval(timer);
  // Its task has come by then.
  setTimeout(() => console.log(pid), 1_000);
}, 10);
setInterval(() => undefined, 60_000);
