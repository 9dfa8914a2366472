import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../access/caller.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { Topics } from '../../platform/cluster/topics.js';
import type { QuotaService } from './quota.service.js';
import type { Quota } from './quota.types.js';

/** No subscriber hears more often. */
const MIN_INTERVAL_MS = 1_000;

/** Tells users how their quota stands, whenever their calls have been settled, or what they store has changed, on any replica. */
export class QuotaNotifier {
  private readonly changes: ChangeNotifier;

  /** @param wait resolves after so many milliseconds */
  constructor(
    topics: Topics,
    private readonly quotas: Pick<QuotaService, 'own'>,
    private readonly wait = (milliseconds: number, signal: AbortSignal) => delay(milliseconds, undefined, { signal }),
  ) {
    this.changes = new ChangeNotifier(topics, 'quota');
  }

  /** To be called when a call of a user has been settled, or what it stores has changed. */
  readonly changed = (userId: string): void => this.changes.changed(userId);

  /** The caller's quota as it is now, and again when it has changed, at most once a second. The last state is always told. */
  watch(caller: Caller): AsyncIterableIterator<Quota> {
    let readAt = Number.NEGATIVE_INFINITY;
    return new EventIterator<number, Quota>({
      // The time of the last message says all: any number of them is one change.
      capacity: 1,
      listen: (push) => {
        push(performance.now());
        return this.changes.listen(caller.userId, () => push(performance.now()));
      },
      read: async (changedAt, signal) => {
        // It came while the state that was told last had yet to be read.
        if (changedAt < readAt) return undefined;
        const early = readAt + MIN_INTERVAL_MS - performance.now();
        if (early > 0) await this.wait(early, signal);
        readAt = performance.now();
        return this.quotas.own(caller);
      },
    });
  }

  /** Drops what has not been told yet. */
  close(): void {
    this.changes.close();
  }
}
