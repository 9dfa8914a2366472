import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../access/caller.js';
import { PullIterator } from '../../platform/async/pull-iterator.js';
import type { Topics } from '../../platform/cluster/topics.js';
import type { QuotaService } from './quota.service.js';
import type { Quota } from './quota.types.js';

/** Settlements of a user within this time are one message. */
const COALESCE_MS = 250;
/** No subscriber hears more often. */
const MIN_INTERVAL_MS = 1_000;

/** Tells users how their quota stands, whenever their calls have been settled on any replica. */
export class QuotaNotifier {
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly topics: Topics,
    private readonly quotas: QuotaService,
  ) {}

  /** To be called when a call of a user has been settled. */
  readonly settled = (userId: string): void => {
    if (this.waiting.has(userId)) return;
    const tell = (): void => {
      this.waiting.delete(userId);
      this.topics.publish(topicOf(userId), {});
    };
    this.waiting.set(userId, setTimeout(tell, COALESCE_MS).unref());
  };

  /** The caller's quota as it is now, and again when it has changed, at most once a second. The last state is always told. */
  watch(caller: Caller): AsyncIterableIterator<Quota> {
    const messages = this.topics.subscribe(topicOf(caller.userId));
    const closing = new AbortController();
    const news = new CoalescedSignal(messages);
    let toldAt: number | undefined;
    const next = async (): Promise<Quota | undefined> => {
      // Heard from the beginning, so that nothing is missed while the first state is read.
      news.listen();
      if (toldAt !== undefined) {
        if (!(await news.wait())) return undefined;
        const early = toldAt + MIN_INTERVAL_MS - performance.now();
        if (early > 0) await delay(early, undefined, { signal: closing.signal }).catch(() => undefined);
        if (closing.signal.aborted) return undefined;
      }
      news.take();
      toldAt = performance.now();
      return this.quotas.own(caller);
    };
    return new PullIterator(next, () => {
      closing.abort();
      void messages.return?.();
    });
  }

  /** Drops what has not been told yet. */
  close(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}

/** Whether anything has been heard since the last time: any number of messages is one piece of news. */
class CoalescedSignal {
  private isThere = false;
  private isListening = false;
  private isOver = false;
  private wake: (() => void) | undefined;

  constructor(private readonly messages: AsyncIterableIterator<unknown>) {}

  listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    void this.pump();
  }

  /** Resolves when there is news; false: there will be none. */
  async wait(): Promise<boolean> {
    while (!this.isThere && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    return !this.isOver;
  }

  take(): void {
    this.isThere = false;
  }

  private async pump(): Promise<void> {
    for (let message = await this.messages.next(); !message.done; message = await this.messages.next()) {
      this.isThere = true;
      this.wake?.();
    }
    this.isOver = true;
    this.wake?.();
  }
}

function topicOf(userId: string): string {
  return `quota:${userId}`;
}
