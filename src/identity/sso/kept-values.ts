import { LRUCache } from 'lru-cache';
import { Unavailable } from '../../errors.js';

const MINUTE_MS = 60 * 1_000;
/** How long a value counts without a look at whether it has changed. */
const FRESH_MS = 10 * MINUTE_MS;
/** How long a value is used where it cannot be loaded again. */
const USABLE_MS = 60 * MINUTE_MS;
/** The shortest time between two loads of one value, whoever asks for it. */
const PAUSE_MS = 10 * 1_000;

interface Kept<Value> {
  value?: Value;
  loadedAt: number;
  triedAt: number;
  loading?: Promise<Value>;
}

/** Values that are loaded from elsewhere and kept for a while; a bounded number of them. */
export class KeptValues<Value extends object> {
  private readonly kept: LRUCache<string, Kept<Value>>;

  /**
   * @param max how many are kept
   * @param now milliseconds of a clock that never steps
   */
  constructor(
    max: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.kept = new LRUCache({ max });
  }

  /**
   * The value of a key, loaded where it is not known or ten minutes old. Those who ask at the same time wait for one
   * load. Where a load fails, the value of the last hour goes on.
   * @param isDoubted the caller misses something in the value, so it is loaded again, at most every 10 s
   * @throws Unavailable where the load has just failed before, or what the load throws
   */
  async get(key: string, load: () => Promise<Value>, isDoubted = false): Promise<Value> {
    const entry = this.entryOf(key);
    if (entry.loading) return entry.loading;
    const now = this.now();
    const isFresh = entry.value !== undefined && now - entry.loadedAt < FRESH_MS;
    if (entry.value && isFresh && (!isDoubted || now - entry.triedAt < PAUSE_MS)) return entry.value;
    if (now - entry.triedAt < PAUSE_MS) return this.usable(entry, new Unavailable(AWAY, PAUSE_MS / 1_000));
    entry.triedAt = now;
    entry.loading = this.load(entry, load).finally(() => (entry.loading = undefined));
    return entry.loading;
  }

  private entryOf(key: string): Kept<Value> {
    const known = this.kept.get(key);
    if (known) return known;
    const entry: Kept<Value> = { loadedAt: -Infinity, triedAt: -Infinity };
    this.kept.set(key, entry);
    return entry;
  }

  private async load(entry: Kept<Value>, load: () => Promise<Value>): Promise<Value> {
    try {
      entry.value = await load();
      entry.loadedAt = this.now();
      return entry.value;
    } catch (error) {
      return this.usable(entry, error);
    }
  }

  private usable({ value, loadedAt }: Kept<Value>, failure: unknown): Value {
    if (value && this.now() - loadedAt < USABLE_MS) return value;
    throw failure;
  }
}

/** What is told of an identity provider that does not answer. */
export const AWAY = 'The identity provider cannot be reached. Please try again later.';
