import type { Environment } from '../environment.js';
import type { Section } from '../section.js';

const EVENTS = 20_000;
const QUICK_EVENTS = 5_000;
const READERS = 1_000;

/** How fast events of research sessions are replayed, and how soon readers have new ones, in milliseconds; memory in MiB. */
export interface TimedEvents {
  readonly replayedPerSecond: number;
  readonly median: number;
  readonly p99: number;
  readonly memory: number;
}

/** How fast the events of research sessions are sent. */
export function researchEvents(environment: Environment, isQuick: boolean): Section {
  const events = isQuick ? QUICK_EVENTS : EVENTS;
  return {
    name: 'research-events',
    title: 'Events of research sessions',
    about: `One client reads the ${events.toLocaleString('en')} events of a session that is over, over HTTP. ${READERS.toLocaleString('en')} readers of a session that goes on are in
one process, without sockets: the time is that from the beginning of the transaction that makes an event.`,
    columns: ['PostgreSQL', 'embedded'],
    measure: async (column) => {
      const place = await environment.dataPlace(column as 'PostgreSQL' | 'embedded');
      try {
        const printed = await environment.processes.run({
          args: ['--expose-gc', '--import', 'tsx', 'bench/research/time-events.ts', String(events), String(READERS)],
          // With PostgreSQL, files need a folder, too.
          env: { DATA_DIR: environment.path('data'), ...place.settings },
          logFile: environment.path('events.log'),
          underTest: 'on all cores',
        });
        const { replayedPerSecond, median, p99, memory }: TimedEvents = JSON.parse(printed);
        return [
          { row: 'events replayed/s', value: replayedPerSecond, reach: { atLeast: 10_000 } },
          { row: `${READERS} readers: event p50, ms`, value: median },
          { row: `${READERS} readers: event p99, ms`, value: p99 },
          { row: `${READERS} readers: extra memory, MiB`, value: memory },
        ];
      } finally {
        await place.remove();
      }
    },
  };
}
