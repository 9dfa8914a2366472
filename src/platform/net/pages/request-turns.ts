import { LRUCache } from 'lru-cache';
import { PageRefused } from './page-refused.js';

/** Of so many hosts it is known when they may be asked again. */
const HOSTS = 10_000;
/** The longest pause that a host is granted, and the longest that anybody waits for it, in milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;
const LONGEST_WAIT_MS = 60_000;

/** How many requests there are at once, and who may wait. */
export interface RequestLimits {
  readonly places: number;
  /** Of one owner. */
  readonly perOwner: number;
  /** How many of one owner may wait, in all and for one host. */
  readonly waiting: number;
  readonly waitingForHost: number;
}

interface Waiting {
  readonly grant: (end: () => void) => void;
  readonly refuse: (reason: unknown) => void;
}

interface Owner {
  running: number;
  waiting: number;
  /** The hosts that the owner waits for. */
  readonly hosts: Set<string>;
}

interface Host {
  isTaken: boolean;
  /** By owner; whose turn at the host is next comes first. */
  readonly queues: Map<string, Waiting[]>;
  /** Set while somebody waits for the end of its pause. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * One request to a host at a time, with the pauses that it asks for, and so many requests at once, of which one owner may
 * have a part. A request gets its place and the turn of its host in the same moment: nobody holds a host while it waits
 * for a place, nor a place while it waits for a host. For both, owners take turns.
 */
export class RequestTurns {
  private readonly hosts = new Map<string, Host>();
  /** Those who run or wait; whose turn is next comes first. */
  private readonly owners = new Map<string, Owner>();
  private running = 0;
  /** When a host may be asked again, by `performance.now()`. */
  private readonly readyAt = new LRUCache<string, number>({ max: HOSTS });

  constructor(private readonly limits: RequestLimits) {}

  /**
   * Waits for the turn.
   * @returns ends it; to be called once
   * @throws PageRefused host_busy; the reason of the signal
   */
  take(hostName: string, ownerName: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = (): void => {
        this.remove(hostName, ownerName, waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        grant: (end) => {
          signal.removeEventListener('abort', leave);
          resolve(end);
        },
        refuse: (reason) => {
          signal.removeEventListener('abort', leave);
          reject(reason as Error);
        },
      };
      this.add(hostName, ownerName, waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.serve();
    });
  }

  /** Asks a host no sooner than in so many milliseconds, an hour at most. */
  pause(name: string, milliseconds: number): void {
    if (milliseconds <= 0) return;
    const readyAt = performance.now() + Math.min(milliseconds, LONGEST_PAUSE_MS);
    if (readyAt > (this.readyAt.get(name) ?? 0)) this.readyAt.set(name, readyAt);
  }

  /** @throws PageRefused host_busy where too many of the owner wait already */
  private add(hostName: string, ownerName: string, waiting: Waiting): void {
    const host = this.hosts.get(hostName) ?? { isTaken: false, queues: new Map<string, Waiting[]>(), timer: undefined };
    const owner = this.owners.get(ownerName) ?? { running: 0, waiting: 0, hosts: new Set<string>() };
    const queue = host.queues.get(ownerName) ?? [];
    const { waiting: most, waitingForHost } = this.limits;
    if (owner.waiting >= most || queue.length >= waitingForHost) throw new PageRefused('host_busy');
    queue.push(waiting);
    owner.waiting += 1;
    owner.hosts.add(hostName);
    host.queues.set(ownerName, queue);
    this.hosts.set(hostName, host);
    this.owners.set(ownerName, owner);
  }

  private remove(hostName: string, ownerName: string, waiting: Waiting): void {
    const [host, owner] = [this.hosts.get(hostName), this.owners.get(ownerName)];
    const queue = host?.queues.get(ownerName);
    if (!host || !owner || !queue) return;
    queue.splice(queue.indexOf(waiting), 1);
    owner.waiting -= 1;
    if (queue.length === 0) {
      host.queues.delete(ownerName);
      owner.hosts.delete(hostName);
    }
    this.forget(hostName, ownerName);
  }

  /** Gives all turns that there are. */
  private serve(): void {
    // An owner that gets a turn is put behind the others, and so is looked at again.
    for (const [ownerName, owner] of this.owners) {
      if (this.running >= this.limits.places) return;
      for (const hostName of owner.hosts) {
        if (!this.mayRun(owner)) break;
        const host = this.hosts.get(hostName);
        if (!host || host.isTaken || !this.isReady(hostName, host)) continue;
        // At the host somebody else may be first; whoever it is has a place.
        const next = [...host.queues.keys()].find((name) => this.mayRun(this.owners.get(name)));
        if (next !== undefined) this.grant(hostName, host, next);
        if (next === ownerName) break;
      }
    }
  }

  private mayRun(owner: Owner | undefined): boolean {
    return owner !== undefined && this.running < this.limits.places && owner.running < this.limits.perOwner;
  }

  private grant(hostName: string, host: Host, ownerName: string): void {
    const owner = this.owners.get(ownerName);
    const queue = host.queues.get(ownerName);
    const [waiting] = queue ?? [];
    if (!owner || !queue || !waiting) return;
    host.isTaken = true;
    owner.running += 1;
    this.running += 1;
    this.remove(hostName, ownerName, waiting);
    this.putBack(ownerName, host);
    waiting.grant(() => {
      host.isTaken = false;
      owner.running -= 1;
      this.running -= 1;
      // Others may have come since.
      this.putBack(ownerName, host);
      this.forget(hostName, ownerName);
      this.serve();
    });
  }

  /** Behind all others, at the host and for places. */
  private putBack(ownerName: string, host: Host): void {
    const [owner, queue] = [this.owners.get(ownerName), host.queues.get(ownerName)];
    if (queue && host.queues.delete(ownerName)) host.queues.set(ownerName, queue);
    if (owner && this.owners.delete(ownerName)) this.owners.set(ownerName, owner);
  }

  /** Whether a host may be asked now. Where it may later, all is looked at again then. */
  private isReady(name: string, host: Host): boolean {
    if (host.timer) return false;
    const rest = (this.readyAt.get(name) ?? 0) - performance.now();
    if (rest <= 0) return true;
    if (rest > LONGEST_WAIT_MS) {
      this.refuseAll(name, host);
      return false;
    }
    const look = (): void => {
      host.timer = undefined;
      this.serve();
    };
    host.timer = setTimeout(look, Math.ceil(rest)).unref();
    return false;
  }

  private refuseAll(name: string, host: Host): void {
    for (const [ownerName, queue] of host.queues) {
      for (const waiting of queue.slice()) {
        this.remove(name, ownerName, waiting);
        waiting.refuse(new PageRefused('host_busy'));
      }
    }
  }

  /** Nothing is kept of those for whom nothing runs or waits. */
  private forget(hostName: string, ownerName: string): void {
    const [host, owner] = [this.hosts.get(hostName), this.owners.get(ownerName)];
    if (host?.queues.size === 0) {
      clearTimeout(host.timer);
      host.timer = undefined;
      if (!host.isTaken) this.hosts.delete(hostName);
    }
    if (owner?.running === 0 && owner.waiting === 0) this.owners.delete(ownerName);
  }
}
