import { join } from 'node:path';
import { lifeOf, login } from '../../crash/client.js';
import { SECRET_KEY } from '../../crash/scenario.js';
import type { TestBed } from '../../crash/test-bed.js';
import { openAudio } from '../../support/builders/audio.js';
import { startSpeechBackend } from '../../support/servers/speech-backend.js';
import type { SpeechBackend } from '../../support/servers/speech-backend.js';
import type { Proof } from '../proof.js';
import { decodedTimes, FORMATS } from './decoded-times.js';
import type { DecodedTimes } from './decoded-times.js';
import { KnowingEngine } from './knowing-engine.js';
import { makeTalk } from './known-talk.js';
import type { KnownTalk } from './known-talk.js';
import { compareWords } from './told-words.js';
import type { ToldErrors } from './told-words.js';
import { transcribeTalk } from './transcribe-talk.js';
import type { Asked } from './transcribe-talk.js';

/** Beginnings of words may be off by so much, in seconds: 95 of 100. */
export const MOST_OFF = 0.3;

const SECONDS = 7_200;
/** From when the audio is there to the transcript. */
const MOST_SECONDS = 180;

/** What is asked for, by what the report calls it. */
const RUNS: readonly { readonly name: string; readonly maxSeconds?: number; readonly body: object }[] = [
  { name: 'an engine that takes any length', body: {} },
  { name: 'an engine that takes 30 s', maxSeconds: 30, body: {} },
  { name: 'with speakers told apart', body: { diarization_enabled: true } },
];

interface Run extends ToldErrors {
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
  readonly engineSeconds: number;
  readonly warnings: number;
}

/** Nothing of a long recording is lost or said twice, and words lie where they were said up to its end. */
export const longRecording: Proof = {
  name: 'long-recording',
  about:
    '2 h with known sentences: what is lost or doubled at cuts, how far words are off at the end, how long it takes',
  async run(bed, { seed }) {
    const talk = makeTalk({ seconds: SECONDS, seed });
    const runs: Run[] = [];
    for (const run of RUNS) runs.push(await tellOne(bed, talk, run));
    const decoded = await decodeAll(talk);
    return { report: report(seed, talk, runs, decoded), problems: [...runs.flatMap(problemsOf), ...offIn(decoded)] };
  },
};

async function tellOne(bed: TestBed, talk: KnownTalk, { name, maxSeconds, body }: (typeof RUNS)[number]): Promise<Run> {
  const environment = await bed.openEnvironment(name, 1, 1);
  const backend = await startSpeechBackend(maxSeconds === undefined ? {} : { audio: { max_seconds: maxSeconds } });
  try {
    const server = environment.replica({
      DATABASE_URL: (await environment.database()).url,
      SECRET_KEY,
      DATA_DIR: join(environment.folder, 'data'),
      BACKENDS_FILE: backend.path,
    });
    await server.start();
    const asked = { origin: lifeOf(server).origin, token: await login(server) };
    return { name, ...(await tell(asked, backend, talk, body)) };
  } finally {
    await environment.close();
    await backend.close();
  }
}

/** Has a server transcribe a recording by an engine that knows what it hears. */
export async function tell(
  asked: Asked,
  { server }: Pick<SpeechBackend, 'server'>,
  talk: KnownTalk,
  body: object = {},
): Promise<Omit<Run, 'name'>> {
  const engine = new KnowingEngine(talk);
  server.byDefault = ({ file }) => {
    // They hold the whole recording otherwise.
    server.requests.length = 0;
    return engine.answer(file?.bytes ?? Buffer.alloc(0));
  };
  const { words, durationSeconds, warnings, seconds } = await transcribeTalk(asked, talk.wav, body);
  return {
    ...compareWords(talk.words, words, durationSeconds),
    calls: engine.calls,
    seconds,
    engineSeconds: engine.milliseconds / 1_000,
    warnings: warnings.length,
  };
}

async function decodeAll(talk: KnownTalk): Promise<(DecodedTimes & { readonly name: string })[]> {
  using bed = await openAudio({ audioSeconds: 1_800 });
  const decoded: (DecodedTimes & { readonly name: string })[] = [];
  for (const [name, format] of Object.entries(FORMATS)) {
    decoded.push({ name, ...(await decodedTimes(bed, talk, format)) });
  }
  return decoded;
}

function problemsOf({ name, lost, doubled, misplaced, p95AtStart, p95AtEnd, seconds, warnings }: Run): string[] {
  return [
    ...(lost > 0 ? [`${name}: ${lost} words are lost.`] : []),
    ...(doubled > 0 ? [`${name}: ${doubled} words are there twice.`] : []),
    ...(misplaced > 0 ? [`${name}: ${misplaced} words are out of order.`] : []),
    ...(warnings > 0 ? [`${name}: ${warnings} warnings.`] : []),
    ...(Math.max(p95AtStart, p95AtEnd) > MOST_OFF ? [`${name}: words are off by more than ${MOST_OFF} s.`] : []),
    ...(seconds > MOST_SECONDS ? [`${name}: it took ${seconds.toFixed(0)} s.`] : []),
  ];
}

function offIn(decoded: readonly (DecodedTimes & { readonly name: string })[]): string[] {
  return decoded
    .filter(({ atStart, atEnd }) => Math.max(atStart, atEnd) > MOST_OFF)
    .map(({ name }) => `${name}: what is decoded lies more than ${MOST_OFF} s from where it was.`);
}

function report(
  seed: number,
  { words }: KnownTalk,
  runs: readonly Run[],
  decoded: readonly (DecodedTimes & { readonly name: string })[],
): string {
  return [
    '# A long recording',
    '',
    `Seed ${seed}. ${SECONDS / 3_600} h of four synthetic voices with ${words.length} words, pauses of 0.35 to 40 s between sentences,`,
    'and music, noise, hum or clicks in some of them, sent to a server on PostgreSQL. The engine is a model server that knows',
    'every word of the recording by its samples, and tells where each lies in the file that it is sent. Lost, twice: words of',
    'the transcript against those that were said. Off: how far from where they were said words begin, of the first and the last',
    `ten minutes, 95 of 100, and the farthest of all. Time: from when all audio is there to the transcript, at most ${MOST_SECONDS} s; the`,
    'engine’s part of it stands in brackets. Server, engine and database share two cores.',
    '',
    '| | Calls | Lost | Twice | Off at the start, s | Off at the end, s | Farthest, s | Time, s |',
    '|---|---|---|---|---|---|---|---|',
    ...runs.map(
      ({ name, calls, lost, doubled, p95AtStart, p95AtEnd, most, seconds, engineSeconds }) =>
        `| ${name} | ${calls} | ${lost} | ${doubled} | ${p95AtStart.toFixed(3)} | ${p95AtEnd.toFixed(3)} | ${most.toFixed(3)} | ${seconds.toFixed(0)} (${engineSeconds.toFixed(0)}) |`,
    ),
    '',
    'The same recording, written in other formats and decoded: how much longer it is, and how far the farthest of 25 words at',
    'its start and at its end lies from where it was.',
    '',
    '| Format | Longer by, s | Off at the start, s | Off at the end, s |',
    '|---|---|---|---|',
    ...decoded.map(
      ({ name, duration, atStart, atEnd }) =>
        `| ${name} | ${duration.toFixed(3)} | ${atStart.toFixed(4)} | ${atEnd.toFixed(4)} |`,
    ),
    '',
  ].join('\n');
}
