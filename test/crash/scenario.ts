import { basename, join } from 'node:path';
import { DatabaseProxy } from './database-proxy.js';
import { Random } from './random.js';
import { Replica } from './replica.js';
import { RedisServer } from './servers.js';
import type { Postgres, Query, TestedDatabase } from './servers.js';
import { Upstream } from './upstream.js';

/** The secret key of every server of a scenario. */
export const SECRET_KEY = 'c'.repeat(64);

/** What was done, for the report. */
export type Figures = Readonly<Record<string, number>>;

/** One kind of failure, and what must hold through it. */
export interface Scenario {
  readonly name: string;
  /** Whether `--sampled-rounds` says how many rounds are played: they are long, and none needs another. */
  readonly isSampled?: boolean;
  /** What it needs and this machine has not: then it is skipped. */
  lacks?(): string | undefined;
  /** @throws Error where something does not hold */
  run(environment: ScenarioEnvironment): Promise<Figures>;
}

/** What a scenario runs in: servers, databases, upstreams; all of it is closed at the end of the scenario. */
export class ScenarioEnvironment {
  readonly random: Random;
  /** The numbers of the rounds, which say in turn what each of them does. A sample begins where its seed says. */
  readonly roundNumbers: readonly number[];
  private readonly parts = new AsyncDisposableStack();
  private replicaCount = 0;
  private databaseCount = 0;

  /**
   * @param folder of this scenario, for logs and data
   * @param isSample whether these are some rounds of many: others come with another seed
   */
  constructor(
    readonly folder: string,
    readonly postgres: Postgres,
    readonly rounds: number,
    seed: number,
    isSample = false,
  ) {
    this.random = new Random(seed);
    const first = isSample ? Math.abs(seed) : 0;
    this.roundNumbers = Array.from({ length: rounds }, (_, index) => first + index);
  }

  async upstream(): Promise<Upstream> {
    const upstream = await Upstream.start();
    this.parts.defer(() => upstream.close());
    return upstream;
  }

  async redis(): Promise<RedisServer> {
    const redis = await RedisServer.start(join(this.folder, 'redis'));
    this.parts.defer(() => redis.stop());
    return redis;
  }

  /** A server that does not run yet. */
  replica(env: Readonly<Record<string, string>>): Replica {
    this.replicaCount += 1;
    const replica = new Replica(`server-${this.replicaCount}`, this.folder, env);
    this.parts.defer(() => replica.kill());
    return replica;
  }

  /** An empty database. */
  database(): Promise<TestedDatabase> {
    this.databaseCount += 1;
    return this.postgres.createDatabase(`${basename(this.folder).replaceAll('-', '_')}_${this.databaseCount}`);
  }

  /** A way to a database. */
  async proxy(url: string): Promise<DatabaseProxy> {
    const proxy = await DatabaseProxy.start(url);
    this.parts.defer(() => proxy.close());
    return proxy;
  }

  /** Running servers on one database: three on one of their own, unless others are wanted. */
  async replicas(
    upstream: Upstream,
    options: { env?: Readonly<Record<string, string>>; count?: number; database?: TestedDatabase } = {},
  ): Promise<{ replicas: Replica[]; query: Query }> {
    const { url, query } = options.database ?? (await this.database());
    const shared = { DATABASE_URL: url, SECRET_KEY, OPENAI_BASE_URL: upstream.url, ...options.env };
    const replicas = Array.from({ length: options.count ?? 3 }, () => this.replica(shared));
    await Promise.all(replicas.map((replica) => replica.start()));
    return { replicas, query };
  }

  /** Runs with `close`, before what was started earlier ends. */
  onClose(work: () => Promise<void>): void {
    this.parts.defer(work);
  }

  /** Ends what the scenario has started. */
  close(): Promise<void> {
    return this.parts.disposeAsync();
  }
}
