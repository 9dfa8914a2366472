import type { EntityManager } from 'typeorm';
import { PlatformError } from '../../errors.js';
import type { PlacedChunk } from '../transcripts/transcripts.types.js';
import { isOfEngine } from './chunk-transcriber.js';
import type { ChunkTranscriber } from './chunk-transcriber.js';
import type { RunLog } from './run-log.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

/** What of a run is left when all chunks are transcribed: that is written as the last. */
const SHARE_OF_CHUNKS = 0.95;
/** Statuses that say something of a chunk, and nothing of the engine or of what the caller may. */
const OF_CHUNK: ReadonlySet<number> = new Set([400, 413, 415, 422]);

interface TranscriptionParts {
  readonly manager: EntityManager;
  readonly log: RunLog;
  readonly transcriber: Pick<ChunkTranscriber, 'transcribe'>;
  /** Told when a chunk is done. */
  readonly changed: () => void;
}

/** No chunk could be transcribed. */
export class NothingTranscribed extends Error {
  /** @param reason a word such as `bad_upstream` */
  constructor(readonly reason: string) {
    super('The model could not transcribe any part of this recording.');
    this.name = 'NothingTranscribed';
  }
}

/**
 * Has the chunks of a run transcribed that are not yet. An engine that fails at one chunk is asked for the others first: where
 * it fails at two one after another, it is the engine, and this ends; where it answers those, and fails at the one again, the
 * chunk is given up.
 */
export class Transcription {
  private readonly postponed: TranscriptionChunk[] = [];
  private chunks: readonly TranscriptionChunk[] = [];
  private toldCount = 0;

  constructor(private readonly parts: TranscriptionParts) {}

  /**
   * @returns the chunks in order, each as soon as it and those before it are done
   * @throws what the model throws where that is no matter of a chunk; NothingTranscribed, RunEnded
   */
  async *run(): AsyncGenerator<TranscriptionChunk, void, undefined> {
    const { manager, log } = this.parts;
    this.chunks = await log.chunks(manager);
    let hasFailed = false;
    yield* this.newlyDone();
    for (const chunk of this.chunks.filter(isOpen)) {
      const failure = await this.transcribe(chunk);
      if (failure && hasFailed) throw failure;
      if (failure) this.postponed.push(chunk);
      hasFailed = failure !== undefined;
      yield* this.newlyDone();
    }
    for (const chunk of this.postponed) {
      await this.retry(chunk);
      yield* this.newlyDone();
    }
    const [failed] = this.chunks.filter(({ failure }) => failure !== null);
    if (failed && this.chunks.every(({ answer }) => answer === null)) {
      throw new NothingTranscribed(failed.failure ?? 'internal');
    }
  }

  private *newlyDone(): Generator<TranscriptionChunk, void, undefined> {
    for (let next = this.chunks[this.toldCount]; next && !isOpen(next); next = this.chunks[this.toldCount]) {
      this.toldCount += 1;
      yield next;
    }
  }

  private async retry(chunk: TranscriptionChunk): Promise<void> {
    const failure = await this.transcribe(chunk);
    if (!failure) return;
    if (this.chunks.every(({ answer }) => answer === null)) throw failure;
    await this.finish(chunk, { failure: failure.code });
  }

  /** @returns how the engine has failed, if it has */
  private async transcribe(chunk: TranscriptionChunk): Promise<PlatformError | undefined> {
    try {
      const answer = await this.parts.transcriber.transcribe(chunk.chunk, this.textBefore(chunk));
      await this.finish(chunk, { answer });
    } catch (error) {
      if (isOfEngine(error)) return error;
      if (!(error instanceof PlatformError) || !OF_CHUNK.has(error.status)) throw error;
      await this.finish(chunk, { failure: error.code });
    }
    return undefined;
  }

  private async finish(chunk: TranscriptionChunk, result: { answer?: PlacedChunk; failure?: string }): Promise<void> {
    const done = this.chunks.filter((one) => !isOpen(one)).length + 1;
    await this.parts.log.finishChunk(chunk.position, result, (SHARE_OF_CHUNKS * done) / this.chunks.length);
    Object.assign(chunk, result);
    this.parts.changed();
  }

  private textBefore({ position }: TranscriptionChunk): string {
    const before = this.chunks[position - 1]?.answer;
    if (!before || before.isLoop) return '';
    return before.segments.map(({ text }) => text).join(' ');
  }
}

function isOpen({ answer, failure }: TranscriptionChunk): boolean {
  return answer === null && failure === null;
}
