import type { Authenticator, Caller } from '../access/caller.js';
import { ClientGone } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { Gauge } from '../platform/telemetry/metrics.js';
import type { OpenRequests } from './open-requests.js';

/** How long a call may go on after its client has left, where its own timeouts have not ended it before. */
const LONGEST_MS = 3_600_000;
/** What one tenant, and one user, may take of the places. */
const TENANT_SHARE = 1 / 2;
const USER_SHARE = 1 / 4;

interface UnattendedParts {
  readonly places: number;
  readonly open: OpenRequests;
  readonly authenticator: Pick<Authenticator, 'watch'>;
}

/**
 * The calls of this process that go on after their clients have left. Each has a place, and is ended as if its client were
 * there: with its session, and with the process.
 */
export class UnattendedCalls {
  private calls = 0;
  /** By the id of the tenant, and of the user. */
  private readonly callsOf = new Map<string, number>();

  constructor(private readonly parts: UnattendedParts) {}

  get gauge(): Gauge {
    return {
      name: 'platform_unattended_calls',
      help: 'Model calls with an Idempotency-Key that continue after their clients disconnected.',
      labels: [],
      read: () => [{ value: this.calls }],
    };
  }

  /**
   * Takes a place; the returned function gives it back.
   * @param stop ends the call
   * @returns undefined where none is free
   */
  take(caller: Caller, stop: (reason: PlatformError) => void): (() => void) | undefined {
    const { places, open, authenticator } = this.parts;
    const isFull = (id: string, share: number): boolean => (this.callsOf.get(id) ?? 0) >= Math.ceil(places * share);
    const { tenantId, userId } = caller;
    if (this.calls >= places || isFull(tenantId, TENANT_SHARE) || isFull(userId, USER_SHARE)) return undefined;
    this.count(caller, 1);
    const request = { abort: stop };
    open.add(request);
    const unwatch = authenticator.watch(caller, stop);
    const timer = setTimeout(() => stop(new ClientGone()), LONGEST_MS).unref();
    return () => {
      clearTimeout(timer);
      unwatch();
      this.count(caller, -1);
      open.remove(request);
    };
  }

  private count({ tenantId, userId }: Caller, change: 1 | -1): void {
    this.calls += change;
    for (const id of [tenantId, userId]) {
      const calls = (this.callsOf.get(id) ?? 0) + change;
      if (calls === 0) this.callsOf.delete(id);
      else this.callsOf.set(id, calls);
    }
  }
}
