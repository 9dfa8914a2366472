import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../access/caller.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import type { Topics } from '../../platform/cluster/topics.js';
import type { QuotaService } from './quota.service.js';
import type { Quota } from './quota.types.js';

/** Changes of a user within this time are one message. */
const COALESCE_MS = 250;
/** No subscriber hears more often. */
const MIN_INTERVAL_MS = 1_000;

/** Tells users how their quota stands, whenever their calls have been settled, or what they store has changed, on any replica. */
export class QuotaNotifier {
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly topics: Topics,
    private readonly quotas: QuotaService,
  ) {}

  /** To be called when a call of a user has been settled, or what it stores has changed. */
  readonly changed = (userId: string): void => {
    if (this.waiting.has(userId)) return;
    const tell = (): void => {
      this.waiting.delete(userId);
      this.topics.publish(topicOf(userId), {});
    };
    this.waiting.set(userId, setTimeout(tell, COALESCE_MS).unref());
  };

  /** The caller's quota as it is now, and again when it has changed, at most once a second. The last state is always told. */
  watch(caller: Caller): AsyncIterableIterator<Quota> {
    let readAt = Number.NEGATIVE_INFINITY;
    return new EventIterator<number, Quota>({
      // The time of the last message says all: any number of them is one change.
      capacity: 1,
      listen: (push) => {
        push(performance.now());
        return this.topics.subscribe(topicOf(caller.userId), () => push(performance.now()));
      },
      read: async (changedAt, signal) => {
        // It came while the state that was told last had yet to be read.
        if (changedAt < readAt) return undefined;
        const early = readAt + MIN_INTERVAL_MS - performance.now();
        if (early > 0) await delay(early, undefined, { signal });
        readAt = performance.now();
        return this.quotas.own(caller);
      },
    });
  }

  /** Drops what has not been told yet. */
  close(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}

function topicOf(userId: string): string {
  return `quota:${userId}`;
}
