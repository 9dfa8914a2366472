import { join } from 'node:path';
import { Random } from './random.js';
import { Replica } from './replica.js';
import { RedisServer } from './servers.js';
import type { Postgres, Query } from './servers.js';
import { Upstream } from './upstream.js';

/** What was done, for the report. */
export type Figures = Readonly<Record<string, number>>;

/** One kind of failure, and what must hold through it. */
export interface Scenario {
  readonly name: string;
  /** @throws Error where something does not hold */
  run(stage: Stage): Promise<Figures>;
}

/** What a scenario plays on; all of it is closed at the end of the scenario. */
export class Stage {
  readonly random: Random;
  private readonly parts = new AsyncDisposableStack();
  private replicaCount = 0;

  /** @param folder of this scenario, for logs and data */
  constructor(
    readonly folder: string,
    readonly postgres: Postgres,
    readonly rounds: number,
    seed: number,
  ) {
    this.random = new Random(seed);
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

  /** Three servers, or as many as are wanted, on a database of their own. */
  async replicas(
    upstream: Upstream,
    env: Readonly<Record<string, string>> = {},
    count = 3,
  ): Promise<{ replicas: Replica[]; query: Query }> {
    const { url, query } = await this.postgres.createDatabase(`crash_${Date.now()}`);
    const shared = { DATABASE_URL: url, SECRET_KEY: 'c'.repeat(64), OPENAI_BASE_URL: upstream.url, ...env };
    const replicas = Array.from({ length: count }, () => this.replica(shared));
    await Promise.all(replicas.map((replica) => replica.start()));
    return { replicas, query };
  }

  /** Ends what the scenario has started. */
  close(): Promise<void> {
    return this.parts.disposeAsync();
  }
}
