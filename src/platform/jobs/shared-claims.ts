/** What a claim has answered, without its rows where it has some: they belong to the one who asked. */
interface Outcome {
  /** Its place in the order in which claims have been asked for and begun. */
  readonly begunAt: number;
  readonly foundNothing: boolean;
  readonly error?: unknown;
}

/**
 * Claims of the same jobs, one after another. When a job may be due, all idle workers of its kind ask at once, and most of
 * them find nothing: a claim that finds nothing, or fails, answers for all that were asked for before it began.
 */
export class SharedClaims {
  private readonly last = new Map<string, Promise<Outcome>>();
  private count = 0;

  /**
   * Runs a claim in its turn, or answers what another has found for it.
   * @param key the same for claims that would claim the same jobs
   * @throws what `run` throws, or has thrown for the other one
   */
  async claim<Row>(key: string, run: () => Promise<Row[]>): Promise<Row[]> {
    const askedAt = (this.count += 1);
    const before = this.last.get(key);
    let rows: Row[] = [];
    const turn = (async (): Promise<Outcome> => {
      const other = await before;
      if (other && other.begunAt > askedAt && (other.foundNothing || other.error)) return other;
      const begunAt = (this.count += 1);
      try {
        rows = await run();
        return { begunAt, foundNothing: rows.length === 0 };
      } catch (error) {
        return { begunAt, foundNothing: false, error };
      }
    })();
    this.last.set(key, turn);
    const { error } = await turn;
    if (this.last.get(key) === turn) this.last.delete(key);
    if (error) throw error;
    return rows;
  }
}
