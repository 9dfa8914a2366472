import { ContentBlocked } from '../../errors.js';
import type { AcrossReader } from '../transcripts/read-across.js';
import type { PlacedChunk } from '../transcripts/transcripts.types.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

/** A chunk, and what policies have left of it. */
interface ReadChunk {
  readonly chunk: TranscriptionChunk;
  /** Where its answer stands among those that passed. */
  readonly place: number | undefined;
  /** Why its answer did not pass. */
  readonly failure: string | undefined;
}

/** Reads the chunks of a run without what policies find over their borders. */
export class ChunkReader {
  private readonly read: ReadChunk[] = [];
  private readonly answers: PlacedChunk[] = [];

  /** @param across undefined: no policy reads them */
  constructor(private readonly across: AcrossReader | undefined) {}

  /** All of them. One that goes on with what must not pass has no answer. */
  get chunks(): readonly TranscriptionChunk[] {
    return this.read.map(({ chunk, place, failure }) => {
      if (failure !== undefined) return { ...chunk, answer: null, failure };
      return { ...chunk, answer: place === undefined ? null : (this.answers[place] ?? null) };
    });
  }

  /** Each chunk as it can be told: it is held back until the next one with an answer is there. */
  async *tell(chunks: AsyncIterable<TranscriptionChunk>): AsyncGenerator<TranscriptionChunk, void, undefined> {
    let told = 0;
    for await (const chunk of chunks) {
      const last = await this.add(chunk);
      const isHeld = this.across && this.answers.length > 0;
      const ready = isHeld ? (last.place === undefined ? told : this.read.length - 1) : this.read.length;
      yield* this.chunks.slice(told, ready);
      told = Math.max(told, ready);
    }
    yield* this.chunks.slice(told);
  }

  private async add(chunk: TranscriptionChunk): Promise<ReadChunk> {
    let [place, failure] = [undefined as number | undefined, undefined as string | undefined];
    try {
      if (chunk.answer) {
        if (this.across) await this.across.add(this.answers, chunk.answer);
        else this.answers.push(chunk.answer);
        place = this.answers.length - 1;
      }
    } catch (error) {
      if (!(error instanceof ContentBlocked)) throw error;
      failure = error.code;
    }
    const read = { chunk, place, failure };
    this.read.push(read);
    return read;
  }
}
