import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { AudioSpan } from '../../platform/audio/audio.types.js';
import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import { WAV_HEAD_BYTES } from '../../platform/audio/wav/wav-head.js';
import type { ChildCommand } from '../../platform/extraction/child/child-command.js';
import type { ChildPool } from '../../platform/extraction/child/child-pool.js';
import type { WorkTurn } from '../../platform/extraction/child/work-turns.js';
import type { SpeakersTask, SpeakerTurn } from './speakers.types.js';

const COMMAND: ChildCommand = {
  entry: new URL(`./speakers.child${extname(import.meta.url)}`, import.meta.url),
  startsPrograms: false,
};

const SAMPLE_BYTES = 2;
const PIECE_BYTES = 256 * 1024;
/** Shorter stretches have no frame. */
const LEAST_SECONDS = 0.05;

/** What is listened to. */
export interface SpokenAudioFile {
  /** As `AudioProcessor.decode` has made it. */
  readonly wavPath: string;
  /** As it has told them, or parts of them. */
  readonly spans: readonly AudioSpan[];
  readonly signal: AbortSignal;
  /** Whose it is: callers take turns. */
  readonly turn?: WorkTurn;
}

/**
 * Tells who speaks when, in a child process: people are told apart by their voices alone.
 * @returns stretches in order, which are the spans or parts of them; none where nobody speaks
 * @throws ChildFailed, the reason of the signal, what the file system throws
 */
export async function tellSpeakers(
  children: Pick<ChildPool, 'run'>,
  { wavPath, spans, signal, turn }: SpokenAudioFile,
): Promise<SpeakerTurn[]> {
  const heard = spans.filter(({ start, end }) => end - start >= LEAST_SECONDS);
  if (heard.length === 0) return [];
  const task: SpeakersTask = { spans: heard };
  const input = Readable.from(samplesOf(wavPath, heard), { objectMode: false });
  const turns: SpeakerTurn[] = [];
  for await (const told of children.run(COMMAND, { task, input, signal, turn })) turns.push(...(told as SpeakerTurn[]));
  return turns;
}

async function* samplesOf(wavPath: string, spans: readonly AudioSpan[]): AsyncGenerator<Buffer> {
  await using file = await open(wavPath);
  for (const { start, end } of spans) {
    const last = placeOf(end);
    for (let place = placeOf(start); place < last;) {
      const length = Math.min(PIECE_BYTES, last - place);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, place);
      // Beyond the end of the file is silence.
      yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
      place += bytesRead === 0 ? length : bytesRead;
    }
  }
}

function placeOf(seconds: number): number {
  return WAV_HEAD_BYTES + Math.round(seconds * DECODED_RATE) * SAMPLE_BYTES;
}
