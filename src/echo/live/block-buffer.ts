/** Bytes that come in parts of any length, kept in blocks of one: parts of two bytes take no more memory than others. */
export class BlockBuffer {
  private blocks: Buffer[] = [];
  /** How much of the last block is used. */
  private used = 0;

  constructor(private readonly blockBytes: number) {}

  /** How many bytes there are. */
  get length(): number {
    return this.blocks.length === 0 ? 0 : (this.blocks.length - 1) * this.blockBytes + this.used;
  }

  /** What is kept is a copy. */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.blocks.length === 0 || this.used === this.blockBytes) {
        this.blocks.push(Buffer.allocUnsafeSlow(this.blockBytes));
        this.used = 0;
      }
      const copied = bytes.copy(this.blocks.at(-1) as Buffer, this.used, at);
      this.used += copied;
      at += copied;
    }
  }

  /** Drops whole blocks from the beginning, so that at least so many bytes stay. */
  dropUntil(keptBytes: number): void {
    while (this.blocks.length > 1 && this.length - this.blockBytes >= keptBytes) this.blocks.shift();
  }

  /** All of it, which is gone then. */
  take(): Buffer {
    const bytes = Buffer.concat(this.blocks, this.length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.blocks = [];
    this.used = 0;
  }
}
