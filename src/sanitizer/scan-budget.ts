import { CooperativeYield } from '../platform/async/cooperative-yield.js';
import type { ScannedText } from './matching/match.types.js';
import type { MatchingScan } from './matching/matching-scan.js';
import { ScanPace } from './scan-pace.js';
import { ScanTimeout } from './scan-timeout.js';

/** How long texts may be looked through; what takes longer is not decided. */
export class ScanBudget {
  private spent = 0;
  private slice: number;
  private readonly cooperation: CooperativeYield;

  /**
   * @param maxMs of all texts together
   * @param signal ends the work where nobody waits for it any more
   * @param pace of the same rules, where other texts were looked through before
   */
  constructor(
    private readonly maxMs: number,
    signal: AbortSignal,
    private readonly pace = new ScanPace(),
  ) {
    this.slice = pace.firstSlice;
    this.cooperation = new CooperativeYield(signal);
  }

  /** How long it has taken so far. */
  get spentMs(): number {
    return this.spent;
  }

  /** How many characters may be looked through at once. */
  get sliceCharacters(): number {
    return this.slice;
  }

  /** Whether it is the turn of others. */
  get isTurnOver(): boolean {
    return this.cooperation.isDue;
  }

  /**
   * Takes a step: looks through a piece of a text, or changes one.
   * @param characters how many are looked through in it; 0 where none are
   * @throws ScanTimeout where all of the time is spent; what the step throws
   */
  take<T>(characters: number, step: () => T): T {
    if (this.spent > this.maxMs) throw new ScanTimeout();
    const startedAt = performance.now();
    try {
      return step();
    } finally {
      const tookMs = performance.now() - startedAt;
      this.spent += tookMs;
      this.slice = this.pace.next(this.slice, characters, tookMs);
    }
  }

  /**
   * Looks through a whole text.
   * @param begin begins to: where there are many rules, that takes time, too
   * @throws as `take` does; the reason of the signal
   */
  async *scanWhole(text: string, begin: () => MatchingScan): AsyncGenerator<ScannedText, void, undefined> {
    await this.takeTurn();
    const scan = this.take(0, begin);
    for (let start = 0; start < text.length;) {
      const piece = text.slice(start, start + this.slice);
      yield this.take(piece.length, () => scan.write(piece));
      start += piece.length;
      await this.takeTurn();
    }
    yield this.take(0, () => scan.end());
  }

  /** Lets others have their turn, where the texts have had their own. @throws the reason of the signal */
  async takeTurn(): Promise<void> {
    if (this.cooperation.isDue) await this.cooperation.yield();
  }
}
