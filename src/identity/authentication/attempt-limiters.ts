import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';

/** How many attempts there may be in a window of time. */
export interface AttemptLimit {
  /** What is counted, unique. */
  readonly name: string;
  readonly attempts: number;
  readonly windowSeconds: number;
}

/** Makes the counters of attempts. */
export type AttemptCounters = (limit: AttemptLimit) => RateLimiterAbstract;

/**
 * Counters of attempts that lie in the database: they count over all replicas, and no restart forgets them. Whose
 * attempts they are stands there as a keyed hash.
 */
export class AttemptLimiters {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: Pick<SecretBox, 'mac'>,
  ) {}

  readonly create: AttemptCounters = ({ name, attempts, windowSeconds }) =>
    new HashedKeys(
      {
        storeClient: { query: (query: Query) => this.query(query) },
        storeType: 'client',
        tableName: 'attempt_counters',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points: attempts,
        duration: windowSeconds,
      },
      (key) => this.secretBox.mac('attempts', key).toString('base64url'),
    );

  /** Deletes the windows that are over. */
  async prune(): Promise<void> {
    await this.dataSource.query('DELETE FROM attempt_counters WHERE expire < $1', [Date.now()]);
  }

  private async query({ text, values }: Query): Promise<{ rows: unknown[] }> {
    return { rows: await this.dataSource.query<unknown[]>(text, values) };
  }
}

interface Query {
  readonly text: string;
  readonly values: unknown[];
}

type Options = ConstructorParameters<typeof RateLimiterPostgres>[0];

class HashedKeys extends RateLimiterPostgres {
  constructor(
    options: Options,
    private readonly hashOf: (key: string) => string,
  ) {
    super(options);
  }

  override getKey(key: string | number): string {
    return super.getKey(this.hashOf(String(key)));
  }
}
