/** What is kept of a list of threads from one piece of a text to the next. */
export interface WaitingThreads {
  readonly places: Int32Array;
  readonly starts: Float64Array;
}

const LAST_ROUND = 0xffff_ffff;
const NO_THREADS: WaitingThreads = { places: new Int32Array(0), starts: new Float64Array(0) };

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
    if (this.round === LAST_ROUND) this.seen.fill(0);
    this.round = this.round === LAST_ROUND ? 1 : this.round + 1;
  }

  /** Copies its threads, so that the list can be used for others. */
  save(): WaitingThreads {
    if (this.length === 0) return NO_THREADS;
    return { places: this.places.slice(0, this.length), starts: this.starts.slice(0, this.length) };
  }

  /** Takes threads that were saved in place of its own. */
  restore({ places, starts }: WaitingThreads): void {
    this.clear();
    this.places.set(places);
    this.starts.set(starts);
    this.length = places.length;
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
