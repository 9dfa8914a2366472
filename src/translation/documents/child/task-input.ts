/** The input of a task: so many bytes, and lines behind them. */
export class TaskInput {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Buffer = Buffer.alloc(0);
  private lines: readonly string[] = [];
  private taken = 0;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.chunks = input[Symbol.asyncIterator]();
  }

  /** The next bytes. @throws Error where there are fewer */
  async bytes(count: number): Promise<Buffer> {
    const bytes = Buffer.alloc(count);
    for (let size = 0; size < count;) {
      const chunk = this.rest.length > 0 ? this.rest : await this.next();
      const taken = chunk.subarray(0, count - size);
      bytes.set(taken, size);
      size += taken.length;
      this.rest = chunk.subarray(taken.length);
    }
    return bytes;
  }

  /** The next line, without its end. @throws Error where there is none */
  async line(): Promise<string> {
    while (this.taken === this.lines.length) {
      // There may be lines in what came with the bytes.
      const end = this.rest.lastIndexOf(10) + 1;
      if (end === 0) this.rest = Buffer.concat([this.rest, await this.next()]);
      else {
        this.lines = this.rest.toString('utf8', 0, end).split('\n').slice(0, -1);
        this.rest = this.rest.subarray(end);
        this.taken = 0;
      }
    }
    this.taken += 1;
    return this.lines[this.taken - 1] ?? '';
  }

  private async next(): Promise<Buffer> {
    const { done, value } = await this.chunks.next();
    if (done) throw new Error('The input has ended.');
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
