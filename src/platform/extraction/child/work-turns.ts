/** What a task is for: the first is the most urgent. */
export type WorkKind = 'live' | 'request' | 'job';

/** Whose task it is. */
export interface WorkTurn {
  readonly tenantId: string;
  readonly userId: string;
  readonly kind: WorkKind;
}

interface Waiter {
  readonly turn: WorkTurn;
  readonly grant: (leave: () => void) => void;
}

const RANKS: Readonly<Record<WorkKind, number>> = { live: 0, request: 1, job: 2 };

/**
 * Places that tasks take by their urgency, and among tasks of one kind tenants and their users in turns: whoever has fewest
 * places comes first. All jobs together, the jobs and requests of one user, and what is live of one user, leave one place to
 * others. Where requests come without end, a job has its turn too. With one place alone nothing is left to anybody: all wait
 * for what runs.
 */
export class WorkTurns {
  /** In the order of their arrival. */
  private readonly waiters = new Set<Waiter>();
  private readonly running = new Set<WorkTurn>();
  /** When a tenant or a user was last served, or began to wait. Those who neither wait nor run are not known. */
  private readonly order = new Map<string, number>();
  private clock = 0;
  private last: WorkKind = 'job';

  /** @param places how many tasks may run at once, at least 1 */
  constructor(private readonly places: number) {}

  /** How many tasks wait. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** How many tasks of a user wait. */
  waitingOf({ tenantId, userId }: Omit<WorkTurn, 'kind'>): number {
    return [...this.waiters].filter(({ turn }) => turn.tenantId === tenantId && turn.userId === userId).length;
  }

  /**
   * Waits for a place.
   * @returns gives it back; may be called more than once
   * @throws the reason of the signal
   */
  take(turn: WorkTurn, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = (): void => {
        this.waiters.delete(waiter);
        this.forget(turn);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        turn,
        grant: (release) => {
          signal.removeEventListener('abort', leave);
          resolve(release);
        },
      };
      for (const key of keysOf(turn)) if (!this.order.has(key)) this.order.set(key, (this.clock += 1));
      this.waiters.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
      this.serve();
    });
  }

  private serve(): void {
    for (let waiter = this.next(); waiter; waiter = this.next()) {
      const { turn, grant } = waiter;
      // One for each place: the same caller may have several.
      const place = { ...turn };
      this.waiters.delete(waiter);
      this.running.add(place);
      if (turn.kind !== 'live') this.last = turn.kind;
      this.putBack(turn);
      grant(() => {
        if (!this.running.delete(place)) return;
        this.putBack(place);
        this.forget(place);
        this.serve();
      });
    }
  }

  private next(): Waiter | undefined {
    if (this.running.size >= this.places) return undefined;
    let [next, least] = [undefined as Waiter | undefined, [] as readonly number[]];
    for (const waiter of this.waiters) {
      if (!this.mayRun(waiter.turn)) continue;
      const place = this.placeOf(waiter.turn);
      if (!next || isBefore(place, least)) [next, least] = [waiter, place];
    }
    return next;
  }

  private mayRun({ tenantId, userId, kind }: WorkTurn): boolean {
    const shared = Math.max(1, this.places - 1);
    const isAlike = (one: WorkTurn): boolean => (one.kind === 'live') === (kind === 'live');
    const own = this.count((one) => isAlike(one) && one.tenantId === tenantId && one.userId === userId);
    if (own >= shared) return false;
    if (kind === 'live') return true;
    return kind === 'job' ? this.count((one) => one.kind === 'job') < shared : !this.isTurnOfJobs();
  }

  /** Whether the last place that is free belongs to a job: none runs, and with one place a request was last. */
  private isTurnOfJobs(): boolean {
    const isLastPlace = this.places - this.running.size <= 1;
    if (!isLastPlace || this.count(({ kind }) => kind === 'job') > 0) return false;
    if (this.places === 1 && this.last === 'job') return false;
    return [...this.waiters].some(({ turn }) => turn.kind === 'job' && this.mayRun(turn));
  }

  /** What is compared, the most important first. */
  private placeOf({ tenantId, userId, kind }: WorkTurn): readonly number[] {
    const ofTenant = this.count((one) => one.kind === kind && one.tenantId === tenantId);
    const ofUser = this.count((one) => one.kind === kind && one.tenantId === tenantId && one.userId === userId);
    const [tenant, user] = keysOf({ tenantId, userId, kind }).map((key) => this.order.get(key) ?? 0);
    return [RANKS[kind], ofTenant, ofUser, tenant ?? 0, user ?? 0];
  }

  private count(isMeant: (turn: WorkTurn) => boolean): number {
    let count = 0;
    for (const turn of this.running) if (isMeant(turn)) count += 1;
    return count;
  }

  /** Behind all others who wait. */
  private putBack(turn: WorkTurn): void {
    for (const key of keysOf(turn)) this.order.set(key, (this.clock += 1));
  }

  private forget(turn: WorkTurn): void {
    const known = new Set([...this.running, ...[...this.waiters].map((waiter) => waiter.turn)].flatMap(keysOf));
    for (const key of keysOf(turn)) if (!known.has(key)) this.order.delete(key);
  }
}

function keysOf({ tenantId, userId }: WorkTurn): [string, string] {
  return [tenantId, JSON.stringify([tenantId, userId])];
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of one.entries()) {
    if (value !== other[index]) return value < (other[index] ?? 0);
  }
  return false;
}
