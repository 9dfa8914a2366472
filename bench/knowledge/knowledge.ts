import { withDatabase } from '../accounts.js';
import { gateway } from '../contenders.js';
import type { Running } from '../comparison.js';
import type { DataPlace, Environment } from '../environment.js';
import { percentile } from '../load.js';
import { cpuSeconds } from '../processes.js';
import type { Figure, Section, Size } from '../section.js';
import { copyPassages } from './copied-passages.js';
import { BenchBase, MODES } from './knowledge-client.js';
import type { Mode } from './knowledge-client.js';
import { proseOf, questionsOf } from './prose.js';
import { streamsBeside } from './streams-beside.js';
import type { TimedKnowledge, TimedParts } from './time-parts.js';

/** Of the prose, about. */
const PASSAGE_BYTES = 935;
const FEW = 1_000;
const MANY = 10_000;
const COPIES = 10;
const MEGABYTE = 1_000_000;
const WARM_UP = 10;
const QUESTIONS = 200;
const QUICK_QUESTIONS = 50;

type Column = 'embedded' | 'PostgreSQL';
type Times = Readonly<Record<'p50' | 'p99', number>>;
/** By base and mode, in milliseconds. */
type QueryTimes = Readonly<Record<string, Partial<Record<Mode, Times>>>>;

/** A base that is searched. */
interface Filled {
  readonly name: string;
  readonly base: BenchBase;
}

/** What was measured through the server. */
interface Served {
  readonly modes: readonly Mode[];
  readonly ingest: readonly Figure[];
  readonly bases: readonly Filled[];
  readonly queries: QueryTimes;
  readonly streams: readonly Figure[];
}

/** How fast files are read into knowledge bases, how fast these are searched, and what that does to running streams. */
export function knowledge(environment: Environment, isQuick: boolean): Section {
  const questions = isQuick ? QUICK_QUESTIONS : QUESTIONS;
  return {
    name: 'knowledge',
    title: 'Knowledge bases',
    about: `A file of plain text, English prose with a vocabulary as uneven as a language's, and the builtin embedding model. A file's
time is from the beginning of its upload until it is ready. The parts are timed again without a server, one after another.
${questions} queries of each kind, one after another, for 8 passages: a question has 2 to 4 words that are in the prose; in every
fourth question one of them is in nearly all passages. "Bare" are plain SQL statements on the same database afterwards, that
know nothing of rights, and get the vector of the question; × is the share of them. 100,000 passages are copies of the 10,000.
Streams have 20 events a second, a delay is from the upstream's write to the client's read. All processes share all cores.
Where the PostgreSQL has no pgvector, there are no vectors, and files and queries have rows of their own.`,
    rounds: 1,
    columns: ['embedded', 'PostgreSQL'],
    measure: async (name, size) => {
      const column = name as Column;
      const place = await environment.dataPlace(column);
      try {
        const served = await serve(environment, place, async (running) => {
          const url = place.settings.DATABASE_URL;
          return measureServed(running, { size, questions, url, withCopies: url !== undefined && !isQuick });
        });
        const parts = await timeParts(environment, place, served, questions);
        if (!served.modes.includes('vector')) console.log(`knowledge, ${column}: without pgvector, by keywords alone`);
        return [
          ...served.ingest,
          ...partFigures(parts.ingest),
          ...served.bases.flatMap((filled) => queryFigures(column, served, filled, parts.queries)),
          ...served.streams,
        ];
      } finally {
        await place.remove();
      }
    },
  };
}

async function serve<T>(
  environment: Environment,
  place: DataPlace,
  work: (running: Running) => Promise<T>,
): Promise<T> {
  // The place outlives the server. With PostgreSQL, files need the folder that the server has for the embedded database.
  const settings = { ...place.settings, BUILTIN_BACKEND: 'true' };
  const running = await gateway(environment, 'this server', {
    database: 'embedded',
    onAllCores: true,
    settings,
  }).start();
  try {
    return await work(running);
  } finally {
    await running.stop();
  }
}

interface Plan {
  readonly size: Size;
  readonly questions: number;
  /** Of the database, where it is PostgreSQL. */
  readonly url: string | undefined;
  readonly withCopies: boolean;
}

async function measureServed(running: Running, { size, questions, url, withCopies }: Plan): Promise<Served> {
  const { target } = running;
  const [few, many] = [await BenchBase.create(target), await BenchBase.create(target)];
  const hasVectors = await few.hasVectors();
  const modes = MODES.filter((mode) => hasVectors || mode === 'keyword');
  // Compiles what an ingest runs.
  await few.until('ready', (await few.send(proseOf(FEW * PASSAGE_BYTES, FEW))).id);
  const ingest = await measureIngest(running, many, hasVectors);
  const bases = [
    { name: FEW.toLocaleString('en'), base: few },
    { name: MANY.toLocaleString('en'), base: many },
  ];
  if (url !== undefined && withCopies) {
    const base = await BenchBase.create(target);
    await base.until('ready', (await base.send(proseOf(1, 1))).id);
    const copies = { fromBase: many.id, toBase: base.id, times: COPIES, hasVectors };
    await withDatabase(url, (database) => copyPassages(database, copies));
    bases.push({ name: (COPIES * MANY).toLocaleString('en'), base });
  }
  const queries: Record<string, Partial<Record<Mode, Times>>> = {};
  for (const { name, base } of bases) {
    const ofBase: Partial<Record<Mode, Times>> = {};
    for (const mode of modes) ofBase[mode] = await timeQueries(base, mode, questions);
    queries[name] = ofBase;
  }
  const streams = await streamsBeside(running, many, { hasVectors, size });
  return { modes, ingest, bases, queries, streams };
}

async function measureIngest({ server }: Running, base: BenchBase, hasVectors: boolean): Promise<Figure[]> {
  const text = proseOf(MANY * PASSAGE_BYTES, MANY);
  const before = cpuSeconds(server.pid);
  const startedAt = performance.now();
  const { id } = await base.send(text);
  const { chunk_count: passages } = await base.until('ready', id);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = cpuSeconds(server.pid);
  const megabytes = text.length / MEGABYTE;
  const what = hasVectors ? 'a file' : 'a file without vectors';
  return [
    { row: `${what}, MB/s`, value: megabytes / seconds, reach: { atLeast: 2 } },
    { row: `${what}: passages/s`, value: passages / seconds },
    { row: `${what}: passages`, value: passages },
    { row: `${what}: processor time, s/MB`, value: (after - before) / megabytes },
  ];
}

async function timeQueries(base: BenchBase, mode: Mode, count: number): Promise<Times> {
  const questions = questionsOf(count);
  for (const question of questions.slice(0, WARM_UP)) await base.ask(question, mode);
  const times: number[] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    await base.ask(question, mode);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function timeParts(
  environment: Environment,
  place: DataPlace,
  { bases, modes }: Served,
  questions: number,
): Promise<TimedParts> {
  const timed: TimedKnowledge = {
    bases: Object.fromEntries(bases.map(({ name, base }) => [name, base.id])),
    modes,
    questions,
    warmUp: WARM_UP,
    ingest: { baseId: bases[0]?.base.id ?? '', bytes: FEW * PASSAGE_BYTES, seed: FEW },
  };
  const printed = await environment.processes.run({
    args: ['--import', 'tsx', 'bench/knowledge/time-parts.ts', JSON.stringify(timed)],
    env: place.settings,
    logFile: environment.path('parts.log'),
    underTest: 'on all cores',
  });
  return JSON.parse(printed) as TimedParts;
}

function partFigures(parts: TimedParts['ingest']): Figure[] {
  const sum = Object.values(parts).reduce((one, other) => one + other, 0);
  return Object.entries(parts).flatMap(([part, seconds]) => [
    { row: `${part} alone, s/MB`, value: (seconds * MEGABYTE) / (FEW * PASSAGE_BYTES) },
    { row: `${part}, % of the parts`, value: (100 * seconds) / sum },
  ]);
}

function queryFigures(column: Column, { queries, modes }: Served, { name }: Filled, bare: QueryTimes): Figure[] {
  const isPostgresTarget = column === 'PostgreSQL' && name === (COPIES * MANY).toLocaleString('en');
  const isEmbeddedTarget = column === 'embedded' && name === MANY.toLocaleString('en');
  const most = {
    p50: isPostgresTarget ? 15 : isEmbeddedTarget ? 50 : undefined,
    p99: isPostgresTarget ? 50 : undefined,
  };
  return modes.flatMap((mode) => {
    const [here, there] = [queries[name]?.[mode], bare[name]?.[mode]];
    if (!here || !there) return [];
    return (['p50', 'p99'] as const).flatMap((share): Figure[] => {
      const row = `${mode}, ${name} passages: ${share}`;
      return [
        { row: `${row}, ms`, value: here[share], reach: reachOf(most[share]) },
        { row: `${row} of bare SQL, ms`, value: there[share] },
        {
          row: `${row}, × of bare SQL`,
          value: here[share] / there[share],
          reach: reachOf(isPostgresTarget ? 1.5 : undefined),
        },
      ];
    });
  });
}

function reachOf(atMost: number | undefined): Figure['reach'] {
  return atMost === undefined ? undefined : { atMost };
}
