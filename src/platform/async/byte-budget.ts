/** The bytes that several readers may hold together. */
export class ByteBudget {
  private held = 0;

  /** @param bytes the most at once */
  constructor(private readonly bytes: number) {}

  /** Takes so many; false where that would be more than is left, and nothing is taken. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.bytes) return false;
    this.held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.held -= bytes;
  }
}
