import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallOwner } from '../../access/caller.js';
import { PlatformError } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import type { TranscribedAudio } from '../../inference/speech/speech.types.js';
import { transcribeChunk } from '../transcripts/transcribe-chunk.js';
import type { ChunkAudio, ChunkWork } from '../transcripts/transcribe-chunk.js';
import type { Chunk, PlacedChunk } from '../transcripts/transcripts.types.js';
import { transcribeWhole } from '../transcripts/whole-audio.js';
import type { WholeCall } from '../transcripts/whole-audio.js';
import type { RunAudio } from './run-audio.js';

/** How often an engine is asked that fails, and how long that is waited for. */
const TRIES = 2;
const RETRY_MS = 1_000;
/** What an engine is told of what was said before, in UTF-16 units. */
const CONTEXT_CHARACTERS = 200;

/** What all chunks of a run have in common. */
export interface ChunkCalls extends Omit<ChunkWork, 'ask' | 'wavPath'> {
  readonly audio: RunAudio;
  readonly owner: CallOwner;
  readonly model: string;
  /** Empty: the engine finds out. */
  readonly language: string;
  readonly wantsSpeakers: boolean;
}

/** Has chunks of a recording transcribed, one at a time. */
export class ChunkTranscriber {
  constructor(
    private readonly models: Pick<Models, 'transcribe'>,
    private readonly calls: ChunkCalls,
  ) {}

  /**
   * What was said in a chunk.
   * @param before the text of the chunk before it; empty: none
   * @throws as `transcribeChunk` and `transcribeWhole` do
   */
  transcribe(chunk: Chunk, before: string): Promise<PlacedChunk> {
    const { audio, folder, signal } = this.calls;
    const ask = (call: ChunkAudio | WholeCall) => this.ask(call);
    const prompt = before.slice(-CONTEXT_CHARACTERS).trim();
    if (audio.whole) return transcribeWhole(ask, audio.whole, chunk, prompt);
    return transcribeChunk({ wavPath: audio.decoded?.wavPath ?? '', folder, signal, ask }, chunk, prompt);
  }

  private async ask(audio: ChunkAudio | WholeCall): Promise<TranscribedAudio> {
    const { owner, model, language, wantsSpeakers, signal } = this.calls;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.models.transcribe(owner, {
          ...audio,
          model,
          ...(language !== '' && { language }),
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
