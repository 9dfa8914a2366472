import type { Environment } from '../environment.js';
import { percentile } from '../load.js';
import { cpuSeconds } from '../processes.js';
import type { Running } from '../comparison.js';
import type { Figure, Section } from '../section.js';
import { echoServer, ENGINE_MS, SLOW } from './echo-gateway.js';
import { talkLive } from './live-talk.js';
import { slowViewers } from './slow-viewers.js';

/** What final text may come later than the engine has it, in milliseconds behind the end of what was said. */
const MOST_LATER_MS = 800;
const SESSIONS = [1, 20];

type EchoServer = Awaited<ReturnType<typeof echoServer>>;

/** How soon live text is there, and what viewers cost who do not read. */
export function liveSessions(environment: Environment, isQuick: boolean): Section {
  const turns = isQuick ? 2 : 6;
  return {
    name: 'echo-live',
    title: 'Live transcription',
    about: `Sessions that are stored as recordings say a sentence every five seconds or so, in frames of 100 ms, at times of their own. Text
is late from the end of what was said, without the ${ENGINE_MS} ms of the engine; half a second of silence, after which a turn is over,
is part of it. Viewers of a recording with 8,000 events of 1 KiB do not read; memory is that of a server's process of their own,
15 s later, behind as many viewers who did.`,
    columns: ['PostgreSQL', 'embedded'],
    measure: async (column) => {
      const database = column as 'PostgreSQL' | 'embedded';
      const figures = await onServer(environment, database, async (running) => {
        const found: Figure[] = [];
        for (const sessions of SESSIONS) found.push(...(await measureSessions(running, sessions, turns)));
        return found;
      });
      if (database !== 'PostgreSQL') return figures;
      // Of one that has done nothing else: what it has collected as garbage by then is not what viewers hold.
      return [...figures, ...(await onServer(environment, database, slowViewers))];
    },
  };
}

async function onServer(
  environment: Environment,
  database: 'PostgreSQL' | 'embedded',
  measure: (running: EchoServer) => Promise<Figure[]>,
): Promise<Figure[]> {
  const running = await echoServer(environment, database);
  try {
    return await measure(running);
  } finally {
    await running.stop();
  }
}

async function measureSessions({ target, server }: Running, sessions: number, turns: number): Promise<Figure[]> {
  const [startedAt, before] = [performance.now(), cpuSeconds(server.pid)];
  const { waits, lost } = await talkLive(target, { model: SLOW, sessions, turns });
  const passed = (performance.now() - startedAt) / 1_000;
  const later = waits.map((wait) => wait - ENGINE_MS);
  const row = (name: string) => `${sessions} session${sessions === 1 ? '' : 's'}: ${name}`;
  return [
    { row: row('text later than the engine p50, ms'), value: percentile(later, 0.5) },
    {
      row: row('text later than the engine p95, ms'),
      value: percentile(later, 0.95),
      reach: { atMost: MOST_LATER_MS },
    },
    {
      row: row('text later than the engine, longest, ms'),
      value: percentile(later, 1),
      reach: { atMost: MOST_LATER_MS },
    },
    { row: row('turns lost or told in two'), value: lost, reach: { none: true } },
    { row: row('processor time of the server, %'), value: (100 * (cpuSeconds(server.pid) - before)) / passed },
  ];
}
