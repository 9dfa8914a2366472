import { Unavailable } from '../../errors.js';

/** How many there are of something, and who may wait for it. */
export interface SlotLimits {
  readonly slots: number;
  /** How many of them one owner may have; default: all. */
  readonly perOwner?: number;
  /** How many of one owner may wait; default: any number. */
  readonly waiting?: number;
  /** The error for those beyond; default: Unavailable. */
  readonly refusal?: () => Error;
}

type Grant = (release: () => void) => void;

/**
 * Places that owners take in turn, each in the order of its own arrivals: who wants many holds up nobody else. Whoever has
 * none comes before whoever has one, and whoever gives one back stands behind all others who wait.
 */
export class FairSlots {
  private used = 0;
  private readonly held = new Map<string, number>();
  /** By owner; whose turn it is next comes first. */
  private readonly queues = new Map<string, Grant[]>();

  constructor(private readonly limits: SlotLimits) {}

  /** How many are taken. */
  get taken(): number {
    return this.used;
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** How many of an owner wait. */
  waitingOf(owner: string): number {
    return this.queues.get(owner)?.length ?? 0;
  }

  /**
   * Waits for a place.
   * @returns gives it back; may be called more than once
   * @throws the refusal of the limits where too many of the owner wait already; the reason of the signal
   */
  take(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const queue = this.queues.get(owner) ?? [];
      const { waiting = Number.POSITIVE_INFINITY, refusal = busy } = this.limits;
      if (queue.length >= waiting && !this.isFreeFor(owner)) throw refusal();
      const leave = (): void => {
        queue.splice(queue.indexOf(grant), 1);
        if (queue.length === 0) this.queues.delete(owner);
        reject(signal.reason as Error);
      };
      const grant: Grant = (release) => {
        signal.removeEventListener('abort', leave);
        resolve(release);
      };
      queue.push(grant);
      this.queues.set(owner, queue);
      signal.addEventListener('abort', leave, { once: true });
      this.serve();
    });
  }

  /** Whether an owner has as many as it may have. */
  hasAll(owner: string): boolean {
    const { slots, perOwner = slots } = this.limits;
    return (this.held.get(owner) ?? 0) >= perOwner;
  }

  private isFreeFor(owner: string): boolean {
    return this.used < this.limits.slots && !this.hasAll(owner);
  }

  private serve(): void {
    for (let owner = this.next(); owner !== undefined; owner = this.next()) {
      const grant = this.queues.get(owner)?.shift();
      this.putBack(owner);
      grant?.(this.hold(owner));
    }
  }

  /** Of those who may have a place the one that has the fewest, and of these the one whose turn it is. */
  private next(): string | undefined {
    let [next, least] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
    if (this.used >= this.limits.slots) return undefined;
    for (const owner of this.queues.keys()) {
      const held = this.held.get(owner) ?? 0;
      if (held < least && this.isFreeFor(owner)) [next, least] = [owner, held];
      if (least === 0) break;
    }
    return next;
  }

  /** Behind all others who wait, whoever stood here first. */
  private putBack(owner: string): void {
    const queue = this.queues.get(owner);
    this.queues.delete(owner);
    if (queue && queue.length > 0) this.queues.set(owner, queue);
  }

  private hold(owner: string): () => void {
    this.used += 1;
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.used -= 1;
      const left = (this.held.get(owner) ?? 1) - 1;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
      this.putBack(owner);
      this.serve();
    };
  }
}

function busy(): Unavailable {
  return new Unavailable('The server is busy. Please try again.');
}
