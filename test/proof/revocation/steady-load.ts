import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

const TICK_MS = 10;
/** Requests in one connection would wait for each other. */
const CONNECTIONS = 128;
/** What a machine that is too busy cannot answer is not sent: it would only make a queue. */
const MOST_UNANSWERED = 100;

/** A token that is used all the time. */
export interface Target {
  readonly token: string;
  readonly path: string;
  /** Called with each answer; `startedAt` by `performance.now()`. */
  answered(status: number, startedAt: number): void;
}

/** So many requests a second over all replicas, however long their answers take. */
export class SteadyLoad {
  private readonly pools: readonly Pool[];
  private readonly watched = new Set<Target>();
  private readonly over = new AbortController();
  private readonly work: Promise<void>;
  private readonly startedAt = performance.now();
  private readonly delay = monitorEventLoopDelay({ resolution: 10 });
  private sent = 0;
  private seconds = 0;
  private turn = 0;

  /**
   * @param others targets that get half of the requests
   * @param perSecond requests
   */
  constructor(
    origins: readonly string[],
    private readonly others: readonly Target[],
    private readonly perSecond: number,
  ) {
    this.pools = origins.map((origin) => new Pool(origin, { connections: CONNECTIONS, pipelining: 1 }));
    this.delay.enable();
    this.work = this.run();
  }

  /** What was reached. */
  get requestsPerSecond(): number {
    return this.sent / this.seconds;
  }

  /** For so long it did nothing. */
  get longestDelayMs(): number {
    return this.delay.max / 1e6;
  }

  /** Gives a target its share of the other half of the requests, on every replica. */
  add(target: Target): void {
    this.watched.add(target);
  }

  remove(target: Target): void {
    this.watched.delete(target);
  }

  /** Waits for the answers that are under way. */
  async stop(): Promise<void> {
    this.over.abort();
    await this.work;
    this.delay.disable();
  }

  private async run(): Promise<void> {
    const open = new Set<Promise<void>>();
    let [due, lastAt] = [0, this.startedAt];
    while (!this.over.signal.aborted) {
      const now = performance.now();
      due = Math.min(due + ((now - lastAt) / 1_000) * this.perSecond, MOST_UNANSWERED);
      lastAt = now;
      for (; due >= 1 && open.size < MOST_UNANSWERED; due -= 1) {
        const request = this.request(this.next());
        open.add(request);
        void request.then(() => open.delete(request));
      }
      await sleep(TICK_MS, undefined, { signal: this.over.signal }).catch(() => undefined);
    }
    this.seconds = (performance.now() - this.startedAt) / 1_000;
    await Promise.all(open);
    await Promise.all(this.pools.map((pool) => pool.close()));
  }

  private next(): Target {
    this.turn += 1;
    const watched = [...this.watched];
    const targets = this.turn % 2 === 0 && watched.length > 0 ? watched : this.others;
    return targets[(this.turn >> 1) % targets.length] as Target;
  }

  private async request({ token, path, answered }: Target): Promise<void> {
    const pool = this.pools[Math.floor(Math.random() * this.pools.length)] as Pool;
    this.sent += 1;
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const status = await pool.request({ method: 'GET', path, headers }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
    answered(status, startedAt);
  }
}
