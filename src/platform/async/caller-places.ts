import { RateLimited, Unavailable } from '../../errors.js';
import { FairSlots } from './fair-slots.js';

/** How long a place is waited for, in milliseconds. */
const WAIT_MS = 10_000;
const RETRY_SECONDS = 5;

/** How many places there are for one kind of work. */
export interface PlaceLimits {
  /** What takes them, for messages: `searches of knowledge bases`. */
  readonly name: string;
  /** Of this process; default: any number. */
  readonly places?: number;
  /** Of one tenant; default: any number. */
  readonly perTenant?: number;
  readonly perUser: number;
  /** How many of one user may wait. */
  readonly waiting: number;
  /** How long each may wait; default: 10 s. */
  readonly waitMs?: number;
}

/** For whom a place is wanted. */
export interface PlaceSeeker {
  readonly tenantId: string;
  readonly userId: string;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Whether it waits as long as it takes, as jobs do: nobody waits for their answer. */
  readonly isPatient?: boolean;
}

/**
 * Places for work of callers: tenants take turns at those of the process, and whoever has its part of them waits for its
 * own. Work that holds a place must not wait for another one of the same kind.
 */
export class CallerPlaces {
  private readonly users: FairSlots;
  private readonly tenants: FairSlots;
  private held = 0;

  constructor(private readonly limits: PlaceLimits) {
    const { places = Number.POSITIVE_INFINITY, perTenant = places, perUser } = limits;
    this.users = new FairSlots({ slots: Number.POSITIVE_INFINITY, perOwner: perUser });
    this.tenants = new FairSlots({ slots: places, perOwner: perTenant });
  }

  /** How many places are taken. */
  get taken(): number {
    return this.held;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.users.waiting + this.tenants.waiting;
  }

  /** Does something in a place. @throws as `take` does; what the work throws */
  async run<T>(seeker: PlaceSeeker, work: () => Promise<T>): Promise<T> {
    using _ = await this.take(seeker);
    return await work();
  }

  /**
   * Waits for a place; disposing of it gives it back, once.
   * @throws RateLimited where too many of the user wait already, or its own places are taken for too long; Unavailable
   * where those of its tenant or of the process are; the reason of the signal
   */
  async take({ tenantId, userId, signal, isPatient = false }: PlaceSeeker): Promise<Disposable> {
    if (!isPatient && this.users.waitingOf(userId) >= this.limits.waiting) throw this.tooMany();
    signal?.throwIfAborted();
    const waiting = new AbortController();
    const leave = (): void => waiting.abort(signal?.reason);
    let late: () => Error = () => this.tooMany();
    const timer = isPatient
      ? undefined
      : setTimeout(() => waiting.abort(late()), this.limits.waitMs ?? WAIT_MS).unref();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const leaveUser = await this.users.take(userId, waiting.signal);
      late = () => this.busy();
      const leaveTenant = await this.tenants.take(tenantId, waiting.signal).catch((error: unknown) => {
        leaveUser();
        throw error;
      });
      this.held += 1;
      let isHeld = true;
      return {
        [Symbol.dispose]: () => {
          if (!isHeld) return;
          isHeld = false;
          this.held -= 1;
          leaveTenant();
          leaveUser();
        },
      };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
  }

  private tooMany(): RateLimited {
    const { name, perUser: limit } = this.limits;
    const message = `Too many of your ${name} wait. Please wait for one of them.`;
    return new RateLimited(message, { limit, remaining: 0, resetSeconds: 1 });
  }

  private busy(): Unavailable {
    return new Unavailable(`The server has too many ${this.limits.name} to do. Please try again.`, RETRY_SECONDS);
  }
}
