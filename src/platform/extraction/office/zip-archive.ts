import type { Readable } from 'node:stream';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';

/** The bytes of a local header before the entry's name. */
const LOCAL_HEADER_BYTES = 30;

/** What is told of an entry beside its bytes. */
export interface ArchiveEntry {
  readonly name: string;
  readonly isCompressed: boolean;
  readonly modifiedAt: Date;
}

/**
 * A zip file in memory, of which named entries are read; none is written anywhere, whatever its name is. Refused are too
 * many entries, entries that share bytes, and more unpacked bytes than there may be, counted as they come.
 */
export class ZipArchive {
  private readonly zip: ZipFile;
  private readonly entries: ReadonlyMap<string, Entry>;
  private unpacked = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip;
    this.entries = entries;
  }

  /** @throws ExtractionFailed malformed or bomb */
  static async open(bytes: Buffer): Promise<ZipArchive> {
    const zip = await malformedOr(fromBufferPromise(bytes));
    if (zip.entryCount > LIMITS.zipEntries) throw new ExtractionFailed('bomb');
    const entries: Entry[] = [];
    try {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    } catch {
      throw new ExtractionFailed('malformed');
    }
    if (entries.some((entry) => entry.isEncrypted())) throw new ExtractionFailed('encrypted');
    refuseOverlaps(entries);
    const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
    if (byName.size < entries.length) throw new ExtractionFailed('malformed');
    return new ZipArchive(zip, byName);
  }

  /** All entries, in the order of the file's directory. */
  get list(): readonly ArchiveEntry[] {
    return [...this.entries.values()].map((entry) => ({
      name: entry.fileName,
      isCompressed: entry.compressionMethod !== 0,
      modifiedAt: entry.getLastModDate(),
    }));
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The unpacked bytes of an entry; none where there is no such entry. @throws ExtractionFailed malformed or bomb */
  async *read(name: string): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.entries.get(name);
    if (!entry) return;
    const stream: Readable = await malformedOr(this.zip.openReadStreamPromise(entry));
    let size = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.unpacked += chunk.length;
        const isBlownUp = size > LIMITS.zipRatioBytes && size > entry.compressedSize * LIMITS.zipRatio;
        if (isBlownUp || this.unpacked > LIMITS.zipBytes) throw new ExtractionFailed('bomb');
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Error && 'reason' in error ? error : new ExtractionFailed('malformed');
    } finally {
      stream.destroy();
    }
  }
}

function refuseOverlaps(entries: readonly Entry[]): void {
  const sorted = entries.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameLength } of sorted) {
    if (start < end) throw new ExtractionFailed('bomb');
    end = start + LOCAL_HEADER_BYTES + fileNameLength + compressedSize;
  }
}

async function malformedOr<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch {
    throw new ExtractionFailed('malformed');
  }
}
