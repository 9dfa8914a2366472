import type { Environment } from '../environment.js';
import type { Figure, Section } from '../section.js';
import { TALK_FORMS, Talks } from './talks.js';

const ALONE = 'the detection alone, WAV';
const LENGTHS = [
  { name: '10 min', seconds: 600 },
  { name: '2 h', seconds: 7_200 },
] as const;

/** What decoding a file took. */
export interface TimedDecoding {
  readonly seconds: number;
  /** The most that the child had, with the programs that it has started, in MiB. */
  readonly mebibytes: number;
  readonly spans: number;
}

/** How fast audio is decoded and looked through for speech, and what that takes of memory. */
export function audioDecoding(environment: Environment, isQuick: boolean): Section {
  const lengths = isQuick ? LENGTHS.slice(0, 1) : LENGTHS;
  const talks = new Talks(environment, lengths.at(-1)?.seconds ?? 0);
  return {
    name: 'echo-decoding',
    title: 'Audio decoded and looked through for speech',
    about: `Synthetic voices with pauses, noises and music between them, decoded by one child process. The detection alone is given the
samples of 10 minutes from memory, in one process. Memory is the most that the child has, with ffmpeg where it starts it.`,
    columns: [ALONE, ...Object.keys(TALK_FORMS)],
    yardstick: ALONE,
    rounds: 1,
    measure: async (column) => {
      if (column === ALONE) {
        const { seconds } = await timed(environment, ['alone', talks.file(600, 'WAV, 16 kHz')]);
        return [
          { row: '10 min, × real time', value: 600 / seconds },
          { row: '10 min, × of the detection alone', value: 600 / seconds, against: 'share' },
        ];
      }
      const figures: Figure[] = [];
      for (const { name, seconds: length } of lengths) {
        const { seconds, mebibytes } = await timed(environment, ['child', talks.file(length, column)]);
        const speed = length / seconds;
        figures.push({ row: `${name}, × real time`, value: speed, reach: { atLeast: 50 } });
        if (name === '10 min')
          figures.push({ row: '10 min, × of the detection alone', value: speed, against: 'share' });
        figures.push({ row: `${name}: memory of the child, MiB`, value: mebibytes, reach: { atMost: 192 } });
      }
      return figures;
    },
  };
}

async function timed(environment: Environment, args: readonly string[]): Promise<TimedDecoding> {
  const printed = await environment.processes.run({
    args: ['--import', 'tsx', 'bench/echo/time-decoding.ts', ...args],
    logFile: environment.path('decoding.log'),
    underTest: 'on all cores',
  });
  return JSON.parse(printed) as TimedDecoding;
}
