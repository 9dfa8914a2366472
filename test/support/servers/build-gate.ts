import pg from 'pg';

/** What a gate makes in its database. */
export interface GateOptions {
  readonly url: string;
  /** The key of the lock that builds wait for, as `pg_advisory_xact_lock_shared` takes it. */
  readonly key: number;
  /** Statements that make the functions which wait. */
  readonly make: readonly string[];
}

/** A gate that builds of indexes wait at: their functions need a lock that is held while it is shut. */
export class BuildGate {
  protected constructor(
    protected readonly options: GateOptions,
    private readonly client: pg.Client,
  ) {}

  protected static async connect({ url, make }: GateOptions): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of make) await client.query(statement);
    return client;
  }

  /** Lets no build end. */
  async shut(): Promise<void> {
    await this.query('SELECT pg_advisory_lock($1)', [this.options.key]);
  }

  async open(): Promise<void> {
    await this.query('SELECT pg_advisory_unlock_all()');
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
