import { ExtractionFailed } from './extraction-failed.js';

/** The bytes of the file that is read. */
export class FileInput {
  private readonly source: AsyncIterable<Uint8Array>;
  private readonly mostBytes: number;

  /** @param mostBytes how many may be kept in memory at once */
  constructor(source: AsyncIterable<Uint8Array>, mostBytes: number) {
    this.source = source;
    this.mostBytes = mostBytes;
  }

  /** As they come. */
  chunks(): AsyncIterable<Uint8Array> {
    return this.source;
  }

  /** All of them. @throws ExtractionFailed too_large */
  async whole(): Promise<Buffer> {
    // Grown as it comes: its length is not known, and twice the whole file must not be kept.
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of this.source) {
      if (size + chunk.length > this.mostBytes) throw new ExtractionFailed('too_large');
      if (size + chunk.length > bytes.length)
        bytes = grown(bytes, size, Math.min(this.mostBytes, (size + chunk.length) * 2));
      bytes.set(chunk, size);
      size += chunk.length;
    }
    return bytes.subarray(0, size);
  }
}

function grown(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.alloc(capacity);
  larger.set(bytes.subarray(0, size));
  return larger;
}
