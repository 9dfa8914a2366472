import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { FairSlots } from './fair-slots.js';
import { PageRefused } from './page-refused.js';

/** How many requests of one owner may wait for one host. */
const WAITING = 100;
/** Of so many hosts it is known when they may be asked again. */
const HOSTS = 10_000;
/** The longest pause that a host is granted, and the longest that anybody waits for it, in milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_WAIT_MS = 60_000;

interface Host {
  readonly slots: FairSlots;
  /** Who has its turn or waits for it. */
  users: number;
}

/** One request to a host at a time, with the pauses that it asks for. */
export class HostTurns {
  private readonly hosts = new Map<string, Host>();
  /** When a host may be asked again, by `performance.now()`. */
  private readonly readyAt = new LRUCache<string, number>({ max: HOSTS });

  /**
   * Waits for the turn.
   * @returns ends it; to be called once
   * @throws PageRefused host_busy; the reason of the signal
   */
  async take(name: string, owner: string, signal: AbortSignal): Promise<() => void> {
    const host = this.enter(name);
    let release: (() => void) | undefined;
    const end = (): void => {
      release?.();
      host.users -= 1;
      if (host.users === 0) this.hosts.delete(name);
    };
    try {
      release = await host.slots.take(owner, signal);
      await this.untilReady(name, signal);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Asks a host no sooner than in so many milliseconds, an hour at most. */
  pause(name: string, milliseconds: number): void {
    if (milliseconds <= 0) return;
    const readyAt = performance.now() + Math.min(milliseconds, LONGEST_PAUSE_MS);
    if (readyAt > (this.readyAt.get(name) ?? 0)) this.readyAt.set(name, readyAt);
  }

  private enter(name: string): Host {
    const host = this.hosts.get(name) ?? { slots: new FairSlots({ slots: 1, waiting: WAITING }), users: 0 };
    host.users += 1;
    this.hosts.set(name, host);
    return host;
  }

  private async untilReady(name: string, signal: AbortSignal): Promise<void> {
    const rest = (this.readyAt.get(name) ?? 0) - performance.now();
    if (rest <= 0) return;
    if (rest > LONGEST_WAIT_MS) throw new PageRefused('host_busy');
    await sleep(rest, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
  }
}
