/** Places in a program with where their match begins, in order of preference, each place once. */
export class ThreadList {
  readonly places: Int32Array;
  readonly starts: Float64Array;
  length = 0;
  private readonly seen: Uint32Array;
  private round = 1;

  /** @param capacity how many places there are */
  constructor(capacity: number) {
    this.places = new Int32Array(capacity);
    this.starts = new Float64Array(capacity);
    this.seen = new Uint32Array(capacity);
  }

  /** Forgets all. */
  clear(): void {
    this.length = 0;
    this.round += 1;
  }

  /** Marks a place as seen. Answers false where it was. */
  see(place: number): boolean {
    if (this.seen[place] === this.round) return false;
    this.seen[place] = this.round;
    return true;
  }

  /** Adds what was seen. */
  push(place: number, start: number): void {
    this.places[this.length] = place;
    this.starts[this.length] = start;
    this.length += 1;
  }
}
