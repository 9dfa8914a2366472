/** Bytes that come in chunks of any size, read in pieces, each of which may end by the time. What fails ends them. */
export class ByteSource {
  /** How many bytes were read. */
  readBytes = 0;
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array | undefined;
  /** The chunk that is waited for. */
  private pending: Promise<void> | undefined;
  private isOver = false;
  private failed: { readonly error: unknown } | undefined;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.chunks = bytes[Symbol.asyncIterator]();
  }

  /** Whether there are bytes to be read; it waits for them. False: they are over, or have failed. */
  async hasMore(): Promise<boolean> {
    return (await this.fill()) === 'filled';
  }

  /**
   * Some bytes.
   * @param mostBytes so many at most, from 1
   * @param until it does not wait beyond this time, of `performance.now()`; left out: as long as it takes
   * @returns undefined where there are no more, or none until then
   */
  async read(mostBytes: number, until?: number): Promise<Uint8Array | undefined> {
    if ((await this.fill(until)) !== 'filled' || !this.rest) return undefined;
    const bytes = this.rest.subarray(0, mostBytes);
    this.rest = bytes.length < this.rest.length ? this.rest.subarray(bytes.length) : undefined;
    this.readBytes += bytes.length;
    return bytes;
  }

  /** To be called when nothing is to be read any more. @throws what has ended the bytes, where that was no end */
  throwIfFailed(): void {
    if (this.failed) throw this.failed.error;
  }

  /** Gives up what was not read. */
  close(): void {
    this.isOver = true;
    this.chunks.return?.().catch(() => undefined);
  }

  private async fill(until?: number): Promise<'filled' | 'late' | 'over'> {
    while (!this.rest) {
      if (this.isOver) return 'over';
      this.pending ??= this.next();
      if (until === undefined) await this.pending;
      else if (!(await isBefore(this.pending, until))) return 'late';
    }
    return 'filled';
  }

  private async next(): Promise<void> {
    try {
      const { done, value } = await this.chunks.next();
      if (done) this.isOver = true;
      else if (value.length > 0) this.rest = value;
    } catch (error) {
      this.failed = { error };
      this.isOver = true;
    } finally {
      this.pending = undefined;
    }
  }
}

/** Whether it settles before a time. */
async function isBefore(settling: Promise<void>, until: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, Math.max(0, until - performance.now()), false);
  void settling.then(() => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}
