import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database.js';
import type { ProcessLease } from '../../platform/cluster/process-lease.js';
import type { Ledger } from './ledger.js';
import type { Settlement } from './ledger.types.js';

const ROWS = 500;

const OPEN_CALL = `
  SELECT c.id, c.tenant_id AS "tenantId", c.user_id AS "userId", to_char(c.period, 'YYYY-MM-DD') AS period,
         c.prompt_tokens AS "promptTokens", c.audio_ms AS "audioMs",
         least(2147483647, greatest(0, extract(epoch FROM now() - c.created_at) * 1000))::integer AS "durationMs"
  FROM calls c
  WHERE c.state = 'open'`;

/** Open calls of processes whose lease has run out. */
const OPEN_CALLS_OF_DEAD_PROCESSES = `${OPEN_CALL} AND c.process_id <> $1
    AND NOT EXISTS (SELECT FROM processes p WHERE p.id = c.process_id AND p.alive_until > now())
  LIMIT ${ROWS}`;

/** Open calls of this process that it began a while ago. */
const OWN_OPEN_CALLS = `${OPEN_CALL} AND c.process_id = $1 AND c.created_at < now() - interval '1 minute'`;

/** Leases that nothing hangs on any more. */
const PURGE_LEASES = `
  DELETE FROM processes p
  WHERE p.alive_until < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM calls c WHERE c.process_id = p.id AND c.state = 'open')`;

type OpenRow = Pick<Settlement, 'id' | 'tenantId' | 'userId' | 'period' | 'promptTokens' | 'audioMs' | 'durationMs'>;

interface RecoveryParts {
  readonly database: Pick<Database, 'dataSource'>;
  readonly ledger: Ledger;
  readonly lease: Pick<ProcessLease, 'id' | 'isPastGracePeriod'>;
  readonly log: Logger;
}

/**
 * Settles what nobody else will: the open calls of dead processes, charged with the estimate of their prompts and never
 * with what they had reserved. A process that was only paused corrects that when it tells the real numbers.
 */
export class LedgerRecovery {
  constructor(private readonly parts: RecoveryParts) {}

  /** Settles what is there now. */
  async recover(): Promise<void> {
    const { database, ledger, lease, log } = this.parts;
    const processId = lease.id;
    // After an outage the others have not yet told that they are alive.
    if (!lease.isPastGracePeriod) return;
    let calls = 0;
    for (;;) {
      const dead = await database.dataSource.query<OpenRow[]>(OPEN_CALLS_OF_DEAD_PROCESSES, [processId]);
      await Promise.all(dead.map((row) => this.settle(row, 'estimated')));
      calls += dead.length;
      if (dead.length < ROWS) break;
    }
    if (calls > 0) log.info({ calls }, 'calls of dead processes were settled by their estimates');
    const own = await database.dataSource.query<OpenRow[]>(OWN_OPEN_CALLS, [processId]);
    // The connection was lost between the row and its answer, and the caller was refused.
    await Promise.all(
      own
        .filter(({ id }) => !ledger.isOpen(id))
        .map((row) => this.settle({ ...row, promptTokens: 0, audioMs: 0 }, 'exact')),
    );
    await database.dataSource.query(PURGE_LEASES);
  }

  private settle(row: OpenRow, state: 'exact' | 'estimated'): Promise<void> {
    const end = { outcome: 'failed', completionTokens: 0, keepClaim: false, recovered: true } as const;
    return this.parts.ledger.settle({ ...row, state, ...end });
  }
}
