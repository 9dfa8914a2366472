import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatformError } from '../../errors.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import type { TranscribeCall, TranscribedAudio } from '../../inference/speech/speech.types.js';
import { cutBytes, cutWav } from '../../platform/audio/cut-wav.js';
import { placeAnswer } from './answer-placement.js';
import { GAP_SECONDS, planChunks } from './chunk-plan.js';
import { worstTiming } from './join-chunks.js';
import { SpanTable } from './span-table.js';
import type { Chunk, PlacedChunk } from './transcripts.types.js';

/** What a refused chunk is cut to at most: halves, with room for the pause between them. */
const SHARE_OF_REFUSED = 0.6;
/** Shorter ones are refused for something else than their length. */
const SHORTEST_CUT_SECONDS = 4;

/** What a call says of the chunk it asks about. */
export type ChunkAudio = Pick<TranscribeCall, 'area' | 'audio' | 'audioSeconds' | 'prompt' | 'spans'>;

/** What all chunks of one transcription have in common. */
export interface ChunkWork {
  /** The decoded audio. */
  readonly wavPath: string;
  /** Where the files of chunks lie while they are asked about. */
  readonly folder: Pick<ScratchFolder, 'path' | 'release' | 'reserve'>;
  readonly signal: AbortSignal;
  /** Has an engine transcribe the file of a chunk. */
  readonly ask: (audio: ChunkAudio) => Promise<TranscribedAudio>;
}

/**
 * What was said in a chunk. An engine that repeats itself is asked once more, without the prompt that may have led it
 * astray; one that refuses the file as too large gets it in smaller parts, cut in pauses.
 * @param prompt what the engine is told beforehand; empty: nothing
 * @throws what `ask` throws, also once more; what the file system throws; the reason of the signal
 */
export async function transcribeChunk(work: ChunkWork, chunk: Chunk, prompt: string): Promise<PlacedChunk> {
  try {
    return await withChunkFile(work, chunk, async (file) => {
      const audio = {
        area: 'echo',
        audio: { ...file, mediaType: 'audio/wav', filename: 'audio.wav' },
        audioSeconds: chunk.seconds,
        spans: new SpanTable(chunk).fileSpans,
      } as const;
      const placed = placeAnswer(await work.ask({ ...audio, ...(prompt !== '' && { prompt }) }), chunk);
      if (!placed.isLoop || prompt === '') return placed;
      return placeAnswer(await work.ask(audio), chunk);
    });
  } catch (error) {
    if (!isTooLarge(error) || chunk.seconds < SHORTEST_CUT_SECONDS) throw error;
  }
  const parts: PlacedChunk[] = [];
  for (const part of smallerChunks(chunk)) parts.push(await transcribeChunk(work, part, prompt));
  return together(parts);
}

/**
 * Has something done with the file of a chunk, which is deleted behind it.
 * @throws what `use` throws; as `ScratchFolder.reserve` does; what the file system throws; the reason of the signal
 */
export async function withChunkFile<Result>(
  { wavPath, folder, signal }: Pick<ChunkWork, 'folder' | 'signal' | 'wavPath'>,
  { pieces }: Chunk,
  use: (file: { readonly path: string; readonly sizeBytes: number }) => Promise<Result>,
): Promise<Result> {
  const path = join(folder.path, `chunk-${randomUUID()}.wav`);
  const reservedBytes = cutBytes(pieces, GAP_SECONDS);
  await folder.reserve(reservedBytes);
  try {
    const sizeBytes = await cutWav(wavPath, pieces, { path, gapSeconds: GAP_SECONDS, signal });
    return await use({ path, sizeBytes });
  } finally {
    await rm(path, { force: true });
    folder.release(reservedBytes);
  }
}

function smallerChunks({ spans, pieces, seconds }: Chunk): Chunk[] {
  return planChunks(spans, pieces.at(-1)?.end ?? 0, { maxSeconds: seconds * SHARE_OF_REFUSED, maxBytes: Infinity });
}

function together(parts: readonly PlacedChunk[]): PlacedChunk {
  return {
    timing: worstTiming(parts),
    language: parts.find(({ language }) => language !== null)?.language ?? null,
    segments: parts.flatMap(({ segments }) => segments),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
    isLoop: parts.some(({ isLoop }) => isLoop),
    hasFalseTimes: parts.some(({ hasFalseTimes }) => hasFalseTimes),
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 413;
}
