import { Readable } from 'node:stream';
import type { CallOwner } from '../../access/caller.js';
import { NotFound } from '../../errors.js';
import { readAhead } from '../../platform/async/read-ahead.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { Extractor } from '../../platform/extraction/extractor.js';
import type { ExtractedPage } from '../../platform/extraction/extraction.types.js';
import { ReadingNotes } from '../../platform/extraction/reading-notes.js';
import type { Job } from '../../platform/jobs/job.types.js';
import { detectLanguage } from '../../platform/text/language.js';
import type { KnowledgeFile } from '../files/knowledge-file.entity.js';
import type { ChunkWriter, IndexedChunk } from '../index/chunk-writer.js';
import type { KnowledgeIndex } from '../index/knowledge-index.entity.js';
import type { Chunk, Page } from './chunk.types.js';
import { chunksOf } from './chunker.js';
import type { Embedder } from './embedder.js';

/** Tokens of passages: long enough to say something, short enough for every model that makes vectors. */
export const CHUNK_SIZES = { target: 256, max: 512, overlap: 32 };
/** Passages of one call of the embedding model. */
const EMBEDDED_AT_ONCE = 64;
/** Calls whose passages are written together at most. */
const READ_AHEAD = 4;
/** From so many characters of its beginning the language of a file is told. */
const SAMPLE_CHARACTERS = 8_000;

interface FileIndexerParts {
  readonly blobs: Pick<Blobs, 'open'>;
  readonly extractor: Pick<Extractor, 'extract'>;
  readonly embedder: Embedder;
  readonly writer: ChunkWriter;
  readonly countTokens: (text: string) => Promise<number>;
}

/** What is indexed, and where to. */
export interface IndexingTask {
  readonly file: KnowledgeFile;
  readonly index: KnowledgeIndex;
  /** For whom the embedding model is called. */
  readonly owner: CallOwner;
  /** How many of its chunks are there already, after a crash: they are made again, and not written. */
  readonly written: number;
  readonly job: Pick<Job, 'signal' | 'transaction'>;
  /** Told after each slice that was written. */
  onProgress(progress: IndexingProgress): Promise<void>;
}

/** How far a file is. */
export interface IndexingProgress {
  readonly chunkCount: number;
  /** The share of its bytes that was read, from 0 to 1. */
  readonly share: number;
}

/** What has become of a file. */
export interface IndexedFile {
  readonly chunkCount: number;
  readonly language: string | null;
  readonly pagesFailed: readonly number[];
  readonly warnings: readonly string[];
}

/** Passages that are ready to be written. */
interface EmbeddedBatch {
  /** Those that are not there yet. */
  readonly fresh: readonly IndexedChunk[];
  /** How many there are up to here. */
  readonly end: number;
}

/** Reads files, cuts them into passages, and writes these with their vectors into an index, in constant memory. */
export class FileIndexer {
  constructor(private readonly parts: FileIndexerParts) {}

  /**
   * Indexes a file. The same bytes are always cut alike, so what a crash has interrupted goes on where it was.
   * @throws ExtractionFailed; what the model throws; Unavailable; the reason of the signal
   */
  async index(task: IndexingTask): Promise<IndexedFile> {
    const { file, index, job } = task;
    const { blobs, extractor, writer, countTokens } = this.parts;
    const { signal } = job;
    const bytes = await blobs.open(file.blobKey, { signal });
    if (!bytes) throw new NotFound('The bytes of the file are gone.');
    let read = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const part of bytes) {
        read += part.byteLength;
        yield part;
      }
    };
    const reading = new PageReading(extractor.extract(Readable.from(counted()), { kind: file.kind, signal }));
    const chunks = chunksOf(reading.pages(), { ...CHUNK_SIZES, countTokens, signal });
    const batches = this.embedded(inBatches(chunks, EMBEDDED_AT_ONCE), reading, task);
    let chunkCount = 0;
    const target = { indexId: index.id, fileId: file.id };
    // The next vectors are made while these are written, and what is ready is written together.
    for await (const ready of readAhead(batches, READ_AHEAD)) {
      const language = await reading.language();
      const fresh = ready.flatMap((batch) => batch.fresh);
      await writer.write(job.transaction, { ...target, language }, fresh);
      chunkCount = ready.at(-1)?.end ?? chunkCount;
      await task.onProgress({ chunkCount, share: Math.min(1, read / Math.max(1, file.sizeBytes)) });
    }
    await writer.finish(job.transaction);
    const { pagesFailed, warnings } = reading.notes;
    return { chunkCount, language: await reading.language(), pagesFailed, warnings };
  }

  private async *embedded(
    batches: AsyncIterable<readonly Chunk[]>,
    reading: PageReading,
    { index, owner, written, job: { signal } }: IndexingTask,
  ): AsyncGenerator<EmbeddedBatch> {
    let end = 0;
    for await (const batch of batches) {
      // By now, so that a file that is read once more is of the same language.
      await reading.language();
      const first = end;
      end += batch.length;
      const fresh = batch.slice(Math.max(0, written - first));
      const start = end - fresh.length;
      const vectors = await this.parts.embedder.embed(fresh, { index, owner, signal });
      yield { fresh: fresh.map((part, at) => ({ ...part, position: start + at, vector: vectors?.[at] })), end };
    }
  }
}

/** The pages of a file on their way to the chunker, and what is seen of them. */
class PageReading {
  readonly notes = new ReadingNotes();
  private sample = '';
  private detected: Promise<string | undefined> | undefined;

  constructor(private readonly extracted: AsyncIterable<ExtractedPage>) {}

  /** Places of passages count from the beginning of their page, or of the file where it has no pages. */
  async *pages(): AsyncGenerator<Page> {
    let last: number | undefined;
    let offset = 0;
    for await (const page of this.extracted) {
      if (page.number !== last) offset = 0;
      last = page.number;
      this.notes.note(page);
      if (this.sample.length < SAMPLE_CHARACTERS) this.sample += page.text.slice(0, SAMPLE_CHARACTERS);
      yield { ...page, offset };
      offset += page.text.length;
    }
  }

  /** Of what was read until it is asked for the first time: later passages are of the same language. */
  async language(): Promise<string | null> {
    this.detected ??= detectLanguage(this.sample);
    return (await this.detected) ?? null;
  }
}

async function* inBatches<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
