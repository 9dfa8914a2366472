import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from './asks.js';
import type { Case, Running } from './comparison.js';
import type { Environment } from './environment.js';
import { abortedStreams, closedLoop, pacedStreams, percentile } from './load.js';
import type { LoopResult } from './load.js';
import { cpuSeconds, residentKib } from './processes.js';
import type { Figure, Reach } from './section.js';

interface Measured {
  readonly loop: LoopResult;
  readonly cpuSeconds: number;
  /** The highest while the loop ran. */
  readonly residentKib: number;
}

/** A figure that a closed loop gives; `what` is that which is counted, `when` how. */
interface LoopFigure {
  row(what: string, when: string): string;
  readonly against?: Figure['against'];
  valueOf(measured: Measured): number;
}

const LOOP_FIGURES = {
  perSecond: { row: (what, when) => `${what}s/s, ${when}`, against: 'share', valueOf: ({ loop }) => loop.perSecond },
  p50: {
    row: (what, when) => `p50 of a ${what}, ${when}, ms`,
    against: 'added',
    valueOf: ({ loop }) => percentile(loop.latencies, 0.5),
  },
  p99: {
    row: (what, when) => `p99 of a ${what}, ${when}, ms`,
    against: 'added',
    valueOf: ({ loop }) => percentile(loop.latencies, 0.99),
  },
  processor: {
    row: (what, when) => `processor time a ${what}, ${when}, µs`,
    valueOf: ({ loop, cpuSeconds: seconds }) => (seconds / loop.latencies.length) * 1e6,
  },
  memory: {
    row: (_what, when) => `highest resident memory, ${when}, MiB`,
    valueOf: ({ residentKib: most }) => most / 1_024,
  },
} satisfies Record<string, LoopFigure>;

interface Loop {
  readonly ask: Ask;
  readonly connections: number;
  /** What of it is told, and what that should reach. */
  readonly figures: Partial<Record<keyof typeof LOOP_FIGURES, Reach>>;
  /** What is counted; default: requests. */
  readonly what?: string;
  /** What is asked for, where a section asks for several things. */
  readonly of?: string;
}

/** A closed loop: so many connections ask for the same, each again as soon as it has its answer. */
export function loopCase({ ask, connections, figures, what = 'request', of }: Loop): Case {
  const count = connections === 1 ? '1 connection' : `${connections} connections`;
  const when = of === undefined ? count : `${of}, ${count}`;
  return {
    warmUp: (target, seconds) => closedLoop(target, ask, connections, seconds),
    measure: async ({ server, target }, { loopSeconds }) => {
      const cpuBefore = cpuSeconds(server.pid);
      const { result: loop, mostKib } = await watchingMemory(server.pid, () =>
        closedLoop(target, ask, connections, loopSeconds),
      );
      const measured = { loop, cpuSeconds: cpuSeconds(server.pid) - cpuBefore, residentKib: mostKib };
      return Object.entries(figures).map(([name, reach]) => {
        const { row, against, valueOf }: LoopFigure = LOOP_FIGURES[name as keyof typeof LOOP_FIGURES];
        return { row: row(what, when), value: valueOf(measured), against, reach };
      });
    },
  };
}

/** Streams of 20 events a second each, opened within one second. Memory is visible in the first case on a fresh server. */
export function pacedCase(
  streams: number,
  reaches: { readonly late?: Reach; readonly lost?: Reach; readonly memory?: Reach } = {},
): Case {
  const row = (name: string) => `${streams} paced ${streams === 1 ? 'stream' : 'streams'}: ${name}`;
  return {
    warmUp: streams > 1 ? (target, seconds) => pacedStreams(target, Math.min(streams, 100), seconds) : undefined,
    measure: async ({ server, target }, { pacedSeconds }) => {
      const cpuBefore = cpuSeconds(server.pid);
      const before = residentKib(server.pid);
      const { result, mostKib } = await watchingMemory(server.pid, () => pacedStreams(target, streams, pacedSeconds));
      const cpu = cpuSeconds(server.pid) - cpuBefore;
      const figures: Figure[] = [
        { row: row('first event p50, ms'), value: percentile(result.firstEvents, 0.5) },
        { row: row('first event p99, ms'), value: percentile(result.firstEvents, 0.99) },
        { row: row('event delay p50, ms'), value: percentile(result.delays, 0.5) },
        { row: row('event delay p99, ms'), value: percentile(result.delays, 0.99) },
        { row: row('event delay max, ms'), value: percentile(result.delays, 1) },
        { row: row('late (> 20 ms)'), value: result.late, reach: reaches.late },
        { row: row('lost or reordered'), value: result.lost + result.reordered, reach: reaches.lost },
      ];
      // Of fewer, both would be noise.
      if (streams < 100) return figures;
      return [
        ...figures,
        { row: row('memory each, KiB'), value: (mostKib - before) / streams, reach: reaches.memory },
        { row: row('processor time an event, µs'), value: (cpu / result.delays.length) * 1e6 },
      ];
    },
  };
}

/** The memory that the server has at this point. */
export const residentMemory: Case = {
  measure: async ({ server }) => [
    { row: 'resident memory after the load, MiB', value: residentKib(server.pid) / 1_024 },
  ],
};

/** Leaves many streams after their first event and looks at what that leaves behind in the server and upstream. */
export function abortedCase(environment: Environment): Case {
  return {
    lastRoundOnly: true,
    measure: async ({ server, target }: Running, { aborted }) => {
      await abortedStreams(target, aborted / 5);
      const before = residentKib(server.pid);
      await abortedStreams(target, aborted);
      await sleep(1_000);
      const upstream = await environment.upstream();
      const stats = (await (await fetch(`${upstream.origin}/stats`)).json()) as { open: number };
      return [
        { row: `memory before ${aborted} aborted streams, MiB`, value: before / 1_024 },
        { row: `memory after ${aborted} aborted streams, MiB`, value: residentKib(server.pid) / 1_024 },
        { row: 'upstream calls open 1 s later', value: stats.open },
      ];
    },
  };
}

async function watchingMemory<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; mostKib: number }> {
  let mostKib = residentKib(pid);
  const sampler = setInterval(() => {
    mostKib = Math.max(mostKib, residentKib(pid));
  }, 100);
  const result = await work().finally(() => clearInterval(sampler));
  return { result, mostKib };
}
