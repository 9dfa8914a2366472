/**
 * Reads what is wanted in its order, some of it ahead of time.
 * @param atOnce how many are read at the same time
 * @param read is told when nobody waits for it any more
 */
export class ReadAhead<Item, Read> implements Disposable {
  private readonly reading = new Map<Item, Promise<Read>>();
  private readonly ending = new AbortController();
  private next = 0;

  constructor(
    private readonly items: readonly Item[],
    private readonly atOnce: number,
    private readonly read: (item: Item, signal: AbortSignal) => Promise<Read>,
  ) {}

  /** What an item says, which is read already or now. @throws what `read` throws */
  take(item: Item): Promise<Read> {
    const at = this.items.indexOf(item);
    for (
      this.next = Math.max(this.next, at);
      this.next < Math.min(this.items.length, at + this.atOnce);
      this.next += 1
    ) {
      this.begin(this.items[this.next] as Item);
    }
    const reading = this.reading.get(item) ?? this.begin(item);
    this.reading.delete(item);
    return reading;
  }

  /** Ends what nobody waits for. */
  [Symbol.dispose](): void {
    this.ending.abort();
  }

  private begin(item: Item): Promise<Read> {
    const reading = this.read(item, this.ending.signal);
    // Whoever takes it is told.
    reading.catch(() => undefined);
    this.reading.set(item, reading);
    return reading;
  }
}
