import { setTimeout as sleep } from 'node:timers/promises';
import { abortedStreams, closedLoop, pacedStreams, percentile } from './load.js';
import type { Target } from './load.js';
import { cpuSeconds, residentKib } from './processes.js';
import type { ServerProcess } from './processes.js';

/** How much one run measures. */
export interface Size {
  readonly rounds: number;
  /** Seconds of each closed loop. */
  readonly loopSeconds: number;
  readonly pacedSeconds: number;
  /** Numbers of paced streams, the largest first: it finds the process fresh, so its memory is visible. */
  readonly streams: readonly number[];
  readonly aborted: number;
}

/** The figures of one round on one server, by the name of the row that they belong to. */
export type Figures = Record<string, number>;

const BURST_CONNECTIONS = 16;

/** Compiles what the server runs for every request, and opens its connections. */
async function warmUp(target: Target, seconds: number): Promise<void> {
  await closedLoop(target, 'plain', 64, seconds);
  await closedLoop(target, 'burst', BURST_CONNECTIONS, seconds);
  await pacedStreams(target, 100, 1);
}

/** Runs everything but the aborted streams once. */
export async function measureRound(target: Target, server: ServerProcess, size: Size): Promise<Figures> {
  await warmUp(target, size.loopSeconds / 2);
  const figures: Figures = {};
  for (const streams of size.streams)
    Object.assign(figures, await measurePaced(target, server, streams, size.pacedSeconds));

  const one = await closedLoop(target, 'plain', 1, size.loopSeconds);
  figures['requests/s, 1 connection'] = one.perSecond;
  figures['p50 at 1 connection, ms'] = percentile(one.latencies, 0.5);
  figures['p99 at 1 connection, ms'] = percentile(one.latencies, 0.99);

  const cpuBefore = cpuSeconds(server.pid);
  const many = await closedLoop(target, 'plain', 64, size.loopSeconds);
  figures['requests/s, 64 connections'] = many.perSecond;
  figures['processor time a request, µs'] = ((cpuSeconds(server.pid) - cpuBefore) / many.latencies.length) * 1e6;

  const burst = await closedLoop(target, 'burst', BURST_CONNECTIONS, size.loopSeconds);
  figures['200-event answers/s'] = burst.perSecond;
  figures['resident memory after the load, MiB'] = residentKib(server.pid) / 1_024;
  return figures;
}

async function measurePaced(target: Target, server: ServerProcess, streams: number, seconds: number): Promise<Figures> {
  const cpuBefore = cpuSeconds(server.pid);
  const before = residentKib(server.pid);
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, residentKib(server.pid));
  }, 100);
  const result = await pacedStreams(target, streams, seconds).finally(() => clearInterval(sampler));
  const row = (name: string) => `${streams} paced ${streams === 1 ? 'stream' : 'streams'}: ${name}`;
  return {
    [row('first event p50, ms')]: percentile(result.firstEvents, 0.5),
    [row('first event p99, ms')]: percentile(result.firstEvents, 0.99),
    [row('event delay p50, ms')]: percentile(result.delays, 0.5),
    [row('event delay p99, ms')]: percentile(result.delays, 0.99),
    [row('event delay max, ms')]: percentile(result.delays, 1),
    [row('late (> 20 ms)')]: result.late,
    [row('lost or reordered')]: result.lost + result.reordered,
    ...(streams >= 100 && {
      [row('memory each, KiB')]: (most - before) / streams,
      [row('processor time an event, µs')]: ((cpuSeconds(server.pid) - cpuBefore) / result.delays.length) * 1e6,
    }),
  };
}

/** Leaves many streams after their first event and looks at what that leaves behind in the server and upstream. */
export async function measureAborted(
  target: Target,
  server: ServerProcess,
  upstream: ServerProcess,
  streams: number,
): Promise<Figures> {
  await abortedStreams(target, streams / 5);
  const before = residentKib(server.pid);
  await abortedStreams(target, streams);
  await sleep(1_000);
  const stats = (await (await fetch(`${upstream.origin}/stats`)).json()) as { open: number };
  return {
    [`memory before ${streams} aborted streams, MiB`]: before / 1_024,
    [`memory after ${streams} aborted streams, MiB`]: residentKib(server.pid) / 1_024,
    'upstream calls open 1 s later': stats.open,
  };
}
