import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pino } from 'pino';
import { placeAnswer } from '../../../src/echo/transcripts/answer-placement.js';
import { GAP_SECONDS, planChunks } from '../../../src/echo/transcripts/chunk-plan.js';
import { joinChunks } from '../../../src/echo/transcripts/join-chunks.js';
import { SpanTable } from '../../../src/echo/transcripts/span-table.js';
import { PocketsphinxEngine } from '../../../src/inference/speech/engines/pocketsphinx-engine.js';
import { toTranscribedAudio } from '../../../src/inference/speech/transcript-answer.js';
import type { TranscribedAudio } from '../../../src/inference/speech/speech.types.js';
import { cutWav } from '../../../src/platform/audio/cut-wav.js';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { Scratch } from '../../../src/platform/scratch/scratch.js';
import { openAudio } from '../../support/builders/audio.js';
import type { AudioBed } from '../../support/builders/audio.js';
import type { Proof } from '../proof.js';
import { knownRecordings } from './recordings.js';
import type { KnownRecording } from './recordings.js';
import { comparedWords, wordErrors } from './word-error-rate.js';

/** So much worse an engine may be through us, as a share of the words. */
export const MOST_WORSE = 0.02;

const NEVER = new AbortController().signal;

/** What an engine makes of a recording. */
export interface Compared {
  readonly name: string;
  readonly words: number;
  /** Errors by words that were said. */
  readonly alone: number;
  readonly through: number;
}

/** Has the engine transcribe a recording as a whole, and as this server does it. */
export async function compare(bed: AudioBed, engine: PocketsphinxEngine, known: KnownRecording): Promise<Compared> {
  const path = bed.path('whole.wav');
  await writeFile(path, known.wav);
  const rate = (text: string): number => wordErrors(known.words, comparedWords(text)) / known.words.length;
  const alone = await ask(engine, path, undefined);
  return {
    name: known.name,
    words: known.words.length,
    alone: rate(alone.text),
    through: rate(await transcribed(bed, engine, known)),
  };
}

async function transcribed(bed: AudioBed, engine: PocketsphinxEngine, { wav }: KnownRecording): Promise<string> {
  const { wavPath, spans, durationSeconds } = await bed.decode(wav);
  const placed = [];
  for (const chunk of planChunks(spans, durationSeconds, engine.audio)) {
    const path = bed.path('chunk.wav');
    await cutWav(wavPath, chunk.pieces, { path, gapSeconds: GAP_SECONDS, signal: NEVER });
    placed.push(placeAnswer(await ask(engine, path, new SpanTable(chunk).fileSpans), chunk));
  }
  return joinChunks(placed, durationSeconds).text;
}

async function ask(
  engine: PocketsphinxEngine,
  path: string,
  spans: SpanTable['fileSpans'] | undefined,
): Promise<TranscribedAudio> {
  const audio = { path, mediaType: 'audio/wav', filename: 'audio.wav', sizeBytes: 0 };
  const wants = { wantsWords: true, wantsSegments: true, wantsSpeakers: false, translate: false, fields: {} };
  const request = { model: engine.id, traits: engine.audio, audio, spans, ...wants };
  return toTranscribedAudio(await engine.transcribe(request, NEVER, 'proof'), engine.id);
}

/** The engine of this machine. @throws Error where it is not installed */
export async function findEngine(bed: AudioBed): Promise<PocketsphinxEngine> {
  const id = crypto.randomUUID();
  const scratch = await Scratch.open({
    config: { dataDir: join(dirname(bed.path()), basename(bed.folder)), scratchBytes: Number.MAX_SAFE_INTEGER },
    lease: { id, listAlive: () => Promise.resolve([id]) },
    disk: new DiskSpace(0, pino({ level: 'silent' })),
  });
  const engine = await PocketsphinxEngine.find(scratch);
  if (!engine) throw new Error('pocketsphinx and its English model are not installed.');
  return engine;
}

/** An engine hears as well through this server as alone. */
export const wordErrorTable: Proof = {
  name: 'word-errors',
  about: 'synthetic voices and a recorded reader: the words that an engine gets wrong alone, and through this server',
  async run(_bed, { seed }) {
    using bed = await openAudio();
    const engine = await findEngine(bed);
    const compared: Compared[] = [];
    for (const known of knownRecordings(seed)) compared.push(await compare(bed, engine, known));
    const problems = compared
      .filter(({ alone, through }) => through > alone + MOST_WORSE)
      .map(({ name, alone, through }) => `${name}: ${percent(through)} through this server, ${percent(alone)} alone.`);
    return { report: report(seed, compared), problems };
  },
};

function report(seed: number, compared: readonly Compared[]): string {
  return [
    '# Word errors',
    '',
    `Seed ${seed}. pocketsphinx with its English model, given each recording as a whole, and as this server gives it: speech`,
    'alone, in chunks, words back on the time of the recording, what lies where nobody speaks left out. Each recording has',
    'sentences with pauses of 0.4 to 4 s between them. Word error rate: words put in, left out or changed, by words said.',
    'pocketsphinx is an old recogniser: the figures compare two ways of asking it, and say nothing of what a model server',
    'makes of the same recordings.',
    '',
    '| Recording | Words | Engine alone | Through this server |',
    '|---|---|---|---|',
    ...compared.map(
      ({ name, words, alone, through }) => `| ${name} | ${words} | ${percent(alone)} | ${percent(through)} |`,
    ),
    '',
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
