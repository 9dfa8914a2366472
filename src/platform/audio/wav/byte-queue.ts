/** Bytes of a stream that are taken in pieces of other lengths; it keeps no more than what is asked for and one chunk. */
export class ByteQueue {
  private readonly source: AsyncIterator<Uint8Array>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes, or fewer where the stream ends. @param length at most some kilobytes */
  async take(length: number): Promise<Buffer> {
    await this.fill(length);
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  /** What comes next, and leaves it there. @param length at most some kilobytes */
  async peek(length: number): Promise<Buffer> {
    await this.fill(length);
    return this.rest.subarray(0, length);
  }

  /** What is there or comes next, at most so many bytes; empty at the end of the stream. */
  async some(mostBytes: number): Promise<Buffer> {
    await this.fill(1);
    const taken = this.rest.subarray(0, mostBytes);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  /** Passes over so many bytes. */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      const { length: skipped } = await this.some(left);
      if (skipped === 0) return;
      left -= skipped;
    }
  }

  private async fill(length: number): Promise<void> {
    const chunks = [this.rest];
    let size = this.rest.length;
    while (size < length) {
      const { done, value } = await this.source.next();
      if (done) break;
      chunks.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      size += value.byteLength;
    }
    // Once for all, however small the chunks are.
    if (chunks.length > 1)
      this.rest = this.rest.length === 0 && chunks.length === 2 ? (chunks[1] as Buffer) : Buffer.concat(chunks);
  }
}
