import type { Logger } from 'pino';
import type { Database } from '../platform/database.js';
import type { Call } from './call.entity.js';

interface Waiting {
  readonly row: Call;
  readonly written: () => void;
}

/** The largest number of rows in one statement; keeps a statement on the embedded database under 10 ms. */
const BATCH_ROWS = 200;
const RETRY_MILLISECONDS = 250;

const INSERT = `
  INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, area, model, backend, state, outcome,
                     prompt_tokens, completion_tokens, created_at, settled_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::text[], $11::int[], $12::int[], $13::timestamptz[], $14::timestamptz[])
  ON CONFLICT (id) DO NOTHING`;

/**
 * Writes settled calls in batches, one statement in flight: a lone call waits for one round trip,
 * a busy server for one round trip a batch. A batch that fails is sent again until it is written;
 * the row's id makes that harmless.
 */
export class CallWriter {
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  private failingSince: number | undefined;
  private closed = false;

  private readonly insert: (values: unknown[]) => Promise<unknown>;

  constructor(
    database: Pick<Database, 'prepare'>,
    private readonly log: Logger,
  ) {
    this.insert = database.prepare('insert_calls', INSERT);
  }

  /** Milliseconds for which writing has failed; 0 while it works. */
  get failingMilliseconds(): number {
    return this.failingSince === undefined ? 0 : Date.now() - this.failingSince;
  }

  /** Resolves when the row is durable. */
  write(row: Call): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ row, written: resolve });
      this.running ??= this.run();
    });
  }

  /** Writes what is waiting, for at most one try once the database fails, and stops. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
    if (this.waiting.length > 0) {
      this.log.error({ calls: this.waiting.length }, 'metered calls could not be written before the process ended');
    }
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_ROWS);
      try {
        await this.insert(columns(batch.map((entry) => entry.row)));
        this.failingSince = undefined;
        for (const entry of batch) entry.written();
      } catch (error) {
        this.waiting = [...batch, ...this.waiting];
        if (this.failingSince === undefined) this.log.warn({ err: error }, 'metered calls wait for the database');
        this.failingSince ??= Date.now();
        if (this.closed) break;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      }
    }
    this.running = undefined;
  }
}

function columns(rows: readonly Call[]): unknown[] {
  return [
    rows.map((row) => row.id),
    rows.map((row) => row.tenantId),
    rows.map((row) => row.userId),
    rows.map((row) => row.tokenId),
    rows.map((row) => row.requestId),
    rows.map((row) => row.area),
    rows.map((row) => row.model),
    rows.map((row) => row.backend),
    rows.map((row) => row.state),
    rows.map((row) => row.outcome),
    rows.map((row) => row.promptTokens),
    rows.map((row) => row.completionTokens),
    rows.map((row) => row.createdAt),
    rows.map((row) => row.settledAt),
  ];
}
