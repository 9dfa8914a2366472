import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/database.js';
import { repeat } from '../async/periodic.js';
import type { Periodic } from '../async/periodic.js';
import type { Redis } from '../redis/redis.js';

const RENEW_MS = 2_000;
/** How long a process is taken to be alive after its last sign of life. */
export const LEASE_SECONDS = 6;

const RENEW = `
  INSERT INTO processes (id, alive_until) VALUES ($1, now() + make_interval(secs => $2))
  ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`;

const ALIVE = 'SELECT id FROM processes WHERE alive_until > now()';

const OTHERS = 'SELECT count(*)::integer AS others FROM processes WHERE id <> $1 AND alive_until > now()';

/**
 * The lease of this process: a row that says until when it is alive, renewed every 2 s. It covers all that the process
 * has open; once it has run out, any other process may finish that.
 */
export class ProcessLease {
  /** New at every start. */
  readonly id = randomUUID();
  private renewal: Periodic | undefined;
  private others = 0;
  private renewedAt = performance.now();
  private graceEndsAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Pick<Database, 'dataSource' | 'embedded'>,
    private readonly log: Logger,
    /** Told of every sign of life too: places that are taken there end with it. */
    private readonly redis?: Redis,
  ) {}

  /** Takes the lease. Whoever opens an embedded database is its only process, so all others are dead. */
  async start(): Promise<void> {
    if (this.database.embedded) await this.database.dataSource.query('DELETE FROM processes');
    await this.renew();
    this.renewal = repeat('renewing the lease of this process', RENEW_MS, this.log, () => this.renew());
  }

  /** How many processes were alive at the last renewal, this one included. */
  get alive(): number {
    return this.others + 1;
  }

  /** The ids of the processes that are alive now. */
  async listAlive(): Promise<string[]> {
    const rows = await this.database.dataSource.query<{ id: string }[]>(ALIVE);
    return rows.map(({ id }) => id);
  }

  /**
   * Whether the leases of others tell who is alive. Where this one has run out, because the database was away or this
   * process stood still, those of others may have too: they get the time of a lease to renew them.
   */
  get isPastGracePeriod(): boolean {
    const now = performance.now();
    return now < this.renewedAt + LEASE_SECONDS * 1_000 && now >= this.graceEndsAt;
  }

  /** Gives the lease back, so that others need not wait for its end. */
  async close(): Promise<void> {
    await this.renewal?.stop();
    await this.database.dataSource.query('DELETE FROM processes WHERE id = $1', [this.id]).catch((error: unknown) => {
      this.log.warn({ err: error }, 'the lease of this process runs out by itself');
    });
  }

  private async renew(): Promise<void> {
    const { dataSource } = this.database;
    await dataSource.query(RENEW, [this.id, LEASE_SECONDS]);
    const [row] = await dataSource.query<{ others: number }[]>(OTHERS, [this.id]);
    this.others = row?.others ?? 0;
    const now = performance.now();
    if (now >= this.renewedAt + LEASE_SECONDS * 1_000) this.graceEndsAt = now + LEASE_SECONDS * 1_000;
    this.renewedAt = now;
    await this.redis?.setForSeconds(`process:${this.id}`, Buffer.from('alive'), LEASE_SECONDS).catch(() => undefined);
  }
}
