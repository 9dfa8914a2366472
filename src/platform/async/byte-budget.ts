/** The bytes that several readers may hold together. */
export class ByteBudget {
  private taken = 0;

  /** @param bytes the most at once */
  constructor(private readonly bytes: number) {}

  /** What is taken now. */
  get held(): number {
    return this.taken;
  }

  /** Takes so many; false where that would be more than is left, and nothing is taken. */
  take(bytes: number): boolean {
    if (this.taken + bytes > this.bytes) return false;
    this.taken += bytes;
    return true;
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.taken -= bytes;
  }
}
