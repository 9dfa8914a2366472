import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../comparison.js';
import type { Environment } from '../environment.js';
import { pacedStreams, percentile } from '../load.js';
import type { PacedResult, Target } from '../load.js';
import { secondsWaitedForCore } from '../processes.js';
import type { Figure, Section } from '../section.js';
import { sendOn } from './audio-thread.js';
import { echoServer, SLOW } from './echo-gateway.js';
import { listenOn } from './first-sounds.js';
import { talkLive } from './live-talk.js';
import { Talks } from './talks.js';

const STREAMS = 20;
/** Streams may be late by so much more than alone. */
const LONGER_MS = 20;
const LIVE_SESSIONS = 20;
/** What is begun has begun by then. */
const BEGUN_MS = 3_000;

/** What goes on beside streams, until it is told to end. */
type Beside = (target: Target, isOver: () => boolean) => Promise<unknown>;

/** What speech does to streams of chats that run beside it. */
export function streamsBesideSpeech(environment: Environment, isQuick: boolean): Section {
  const seconds = isQuick ? 600 : 1_800;
  const talks = new Talks(environment, seconds);
  const besides: Readonly<Record<string, Beside>> = {
    'an upload': (target, isOver) => sendOn({ target }, isOver),
    'speech that is made': listenOn,
    'a recording that is transcribed': (target, isOver) =>
      sendOn({ target, path: talks.file(seconds, 'WAV, 16 kHz') }, isOver),
    [`${LIVE_SESSIONS} live sessions`]: (target, isOver) =>
      talkLive(target, { model: SLOW, sessions: LIVE_SESSIONS, turns: 1_000, isOver }),
  };
  return {
    name: 'echo-streams',
    title: 'Streams of chats beside speech',
    about: `${STREAMS} chats with 20 events a second, first alone, then while audio is uploaded, spoken by builtin-flite as mp3, decoded and
transcribed, or comes from ${LIVE_SESSIONS} live sessions. A delay is from the upstream's write to the client's read. The server, its
children, the client and the model server share all cores. What sends the audio of uploads and recordings has a thread of its own.`,
    columns: ['PostgreSQL'],
    measure: async (_column, size) => {
      const running = await echoServer(environment, 'PostgreSQL');
      const seconds = 2 * size.pacedSeconds;
      try {
        await pacedStreams(running.target, STREAMS, Math.max(seconds, size.warmUpSeconds));
        const alone = await observed(running, seconds);
        const figures = figuresOf('alone', alone);
        for (const [name, beside] of Object.entries(besides)) {
          figures.push(...figuresOf(`beside ${name}`, await observedBeside(running, beside, seconds), alone));
        }
        return figures;
      } finally {
        await running.stop();
      }
    },
  };
}

interface Observed {
  readonly streams: PacedResult;
  /** Of the time of the event loop, the share in which another process had its core. */
  readonly waited: number;
}

async function observedBeside(running: Running, beside: Beside, seconds: number): Promise<Observed> {
  let isOver = false;
  const besides = beside(running.target, () => isOver);
  await sleep(BEGUN_MS);
  const result = await observed(running, seconds).finally(() => (isOver = true));
  await besides;
  return result;
}

async function observed({ server, target }: Running, seconds: number): Promise<Observed> {
  const [startedAt, before] = [performance.now(), secondsWaitedForCore(server.pid)];
  const streams = await pacedStreams(target, STREAMS, seconds);
  const passed = (performance.now() - startedAt) / 1_000;
  return { streams, waited: (secondsWaitedForCore(server.pid) - before) / passed };
}

function figuresOf(how: string, { streams, waited }: Observed, alone?: Observed): Figure[] {
  const row = (name: string) => `${how}: ${name}`;
  const shares = { p99: 0.99, max: 1 };
  return [
    ...Object.entries(shares).flatMap(([name, share]): Figure[] => {
      const value = percentile(streams.delays, share);
      const longer = { row: row(`event delay ${name}, longer by, ms`), reach: { atMost: LONGER_MS } };
      return [
        { row: row(`event delay ${name}, ms`), value },
        ...(alone ? [{ ...longer, value: value - percentile(alone.streams.delays, share) }] : []),
      ];
    }),
    { row: row('lost or reordered'), value: streams.lost + streams.reordered, reach: { none: true } },
    { row: row('of its time the event loop waited for a core, %'), value: 100 * waited },
  ];
}
