import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallOwner } from '../../access/caller.js';
import { PlatformError } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import type { TranscribedAudio } from '../../inference/speech/speech.types.js';
import { cutWav } from '../../platform/audio/cut-wav.js';
import { placeAnswer } from '../transcripts/answer-placement.js';
import { GAP_SECONDS } from '../transcripts/chunk-plan.js';
import { SpanTable } from '../transcripts/span-table.js';
import type { Chunk, PlacedChunk } from '../transcripts/transcripts.types.js';

/** How often an engine is asked that fails, and how long that is waited for. */
const TRIES = 2;
const RETRY_MS = 1_000;
/** What an engine is told of what was said before, in UTF-16 units. */
const CONTEXT_CHARACTERS = 200;

/** What all chunks of a run have in common. */
export interface ChunkCalls {
  readonly owner: CallOwner;
  readonly model: string;
  /** Empty: the engine finds out. */
  readonly language: string;
  readonly wantsSpeakers: boolean;
  /** The decoded recording. */
  readonly wavPath: string;
  /** Where the files of chunks lie. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Has chunks of a recording transcribed, one at a time. */
export class ChunkTranscriber {
  constructor(
    private readonly models: Pick<Models, 'transcribe'>,
    private readonly calls: ChunkCalls,
  ) {}

  /**
   * What was said in a chunk. An engine that repeats itself is asked once more, without what was said before.
   * @param before the text of the chunk before it; empty: none
   * @throws what the model throws, also once more; what the file system throws; the reason of the signal
   */
  async transcribe(chunk: Chunk, before: string): Promise<PlacedChunk> {
    const { wavPath, folder, signal } = this.calls;
    const path = join(folder, `chunk-${chunk.index}.wav`);
    const sizeBytes = await cutWav(wavPath, chunk.pieces, { path, gapSeconds: GAP_SECONDS, signal });
    try {
      const context = before.slice(-CONTEXT_CHARACTERS).trim();
      const placed = placeAnswer(await this.ask(chunk, { path, sizeBytes }, context), chunk);
      if (!placed.isLoop || context === '') return placed;
      return placeAnswer(await this.ask(chunk, { path, sizeBytes }, ''), chunk);
    } finally {
      await rm(path, { force: true });
    }
  }

  private async ask(
    chunk: Chunk,
    file: { readonly path: string; readonly sizeBytes: number },
    prompt: string,
  ): Promise<TranscribedAudio> {
    const { owner, model, language, wantsSpeakers, signal } = this.calls;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.models.transcribe(owner, {
          area: 'echo',
          model,
          audio: { ...file, mediaType: 'audio/wav', filename: 'audio.wav' },
          audioSeconds: chunk.seconds,
          spans: new SpanTable(chunk).fileSpans,
          ...(language !== '' && { language }),
          ...(prompt !== '' && { prompt }),
          wantsWords: true,
          wantsSegments: true,
          wantsSpeakers,
          context: { signal, serverRequestId: randomUUID() },
        });
      } catch (error) {
        signal.throwIfAborted();
        if (tries >= TRIES || !isOfEngine(error)) throw error;
        await wait(RETRY_MS, undefined, { signal });
      }
    }
  }
}

/** Whether an engine has failed, so that it may do better the next time. */
export function isOfEngine(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.status === 502 || error.status === 504);
}
