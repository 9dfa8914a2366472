/** Characters that are looked through at once: fewer where rules are slow. */
const LONGEST_SLICE = 32_768;
const SHORTEST_SLICE = 16;
/** One text may be looked through far more slowly than those before it. */
const LONGEST_FIRST_SLICE = 2_048;
/** How long a slice may take to be as long as it is. */
const SLICE_MS = 4;

/** How many characters may be looked through at once with the same rules, as the texts so far have shown. */
export class ScanPace {
  private slice = SHORTEST_SLICE;

  /** With how many characters a call begins. */
  get firstSlice(): number {
    return Math.min(this.slice, LONGEST_FIRST_SLICE);
  }

  /**
   * How many characters the next slice of a call may have.
   * @param slice how many the one before might have
   * @param characters how many it had
   */
  next(slice: number, characters: number, tookMs: number): number {
    const next = tookMs > SLICE_MS ? Math.floor(slice / 2) : characters >= slice ? slice * 2 : slice;
    this.slice = Math.min(Math.max(next, SHORTEST_SLICE), LONGEST_SLICE);
    return this.slice;
  }
}
