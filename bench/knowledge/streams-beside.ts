import type { Running } from '../comparison.js';
import { pacedStreams, percentile } from '../load.js';
import type { PacedResult } from '../load.js';
import { secondsWaitedForCore } from '../processes.js';
import type { Figure, Size } from '../section.js';
import { BenchBase } from './knowledge-client.js';
import { proseOf, questionsOf } from './prose.js';

const STREAMS = 50;
const ASKING = 2;
const QUESTIONS = 100;
/** More than a file takes. */
const BYTES_A_SECOND = 3_000_000;
/** Much more than streams alone are ever late by. */
const LONGER_MS = 20;

interface Beside {
  /** Passages of it are asked for. */
  readonly base: BenchBase;
  readonly hasVectors: boolean;
  readonly seconds: number;
}

interface Observed {
  readonly streams: PacedResult;
  /** Of the time of the event loop, the share in which another process had its core. */
  readonly waited: number;
}

/** What queries and a file that is being read do to streams that run. */
export async function streamsBeside(
  running: Running,
  base: BenchBase,
  { hasVectors, size }: { readonly hasVectors: boolean; readonly size: Size },
): Promise<Figure[]> {
  const beside: Beside = { base, hasVectors, seconds: 2 * size.pacedSeconds };
  await pacedStreams(running.target, STREAMS, Math.max(beside.seconds, size.warmUpSeconds));
  const alone = await observed(running, beside.seconds);
  return [
    ...figuresOf('alone', alone),
    ...figuresOf('beside queries', await besideQueries(running, beside), alone),
    // The last, since it leaves a file that is being read.
    ...figuresOf('beside an ingest', await besideIngest(running, beside), alone),
  ];
}

async function observed({ server, target }: Running, seconds: number): Promise<Observed> {
  const [startedAt, before] = [performance.now(), secondsWaitedForCore(server.pid)];
  const streams = await pacedStreams(target, STREAMS, seconds);
  const passed = (performance.now() - startedAt) / 1_000;
  return { streams, waited: (secondsWaitedForCore(server.pid) - before) / passed };
}

async function besideQueries(running: Running, { base, hasVectors, seconds }: Beside): Promise<Observed> {
  const questions = questionsOf(QUESTIONS);
  let isOver = false;
  const askOn = async (_: unknown, first: number) => {
    for (let index = first; !isOver; index += ASKING) {
      await base.ask(questions[index % QUESTIONS] ?? '', hasVectors ? 'hybrid' : 'keyword');
    }
  };
  const asking = Promise.all(Array.from({ length: ASKING }, askOn));
  const result = await observed(running, seconds).finally(() => (isOver = true));
  await asking;
  return result;
}

async function besideIngest(running: Running, { seconds }: Beside): Promise<Observed> {
  const base = await BenchBase.create(running.target);
  const { id } = await base.send(proseOf(seconds * BYTES_A_SECOND, 2));
  await base.until('processing', id);
  const result = await observed(running, seconds);
  const { status } = await base.file(id);
  if (status !== 'processing') throw new Error('The ingest did not last as long as the streams.');
  return result;
}

function figuresOf(how: string, { streams, waited }: Observed, alone?: Observed): Figure[] {
  const row = (name: string) => `${STREAMS} streams ${how}: ${name}`;
  const delays = [
    { name: 'event delay p99', of: (one: PacedResult) => percentile(one.delays, 0.99) },
    { name: 'event delay max', of: (one: PacedResult) => percentile(one.delays, 1) },
  ];
  return [
    { row: row('first event p99, ms'), value: percentile(streams.firstEvents, 0.99) },
    ...delays.flatMap(({ name, of }): Figure[] => [
      { row: row(`${name}, ms`), value: of(streams) },
      ...(alone
        ? [{ row: row(`${name}, longer by, ms`), value: of(streams) - of(alone.streams), reach: { atMost: LONGER_MS } }]
        : []),
    ]),
    { row: row('lost or reordered'), value: streams.lost + streams.reordered, reach: { none: true } },
    { row: row('of its time the event loop waited for a core, %'), value: 100 * waited },
  ];
}
