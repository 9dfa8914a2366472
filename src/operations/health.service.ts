import { setTimeout as delay } from 'node:timers/promises';
import type { CheckState, Health } from './health.types.js';

/** How long the database may take to answer before it counts as down. */
const DATABASE_MS = 1_000;

/** What health looks at. */
export interface HealthSources {
  readonly version: string;
  /** Resolves when the database answers. */
  pingDatabase(): Promise<unknown>;
  /** How what replicas share in memory does; `degraded`: there are several, and they share nothing. */
  cache(): CheckState;
  backends(): readonly { readonly healthy: boolean }[];
}

/** Tells how the server and what it stands on do. */
export class HealthService {
  constructor(private readonly sources: HealthSources) {}

  async check(): Promise<Health> {
    const checks = {
      database: (await this.databaseAnswers()) ? 'ok' : 'down',
      cache: this.sources.cache(),
      jobs: 'off',
      backends: this.backends(),
    } satisfies Record<string, CheckState>;
    const healthy = Object.values(checks).every((state) => state === 'ok' || state === 'off');
    return {
      status: healthy ? 'ok' : 'degraded',
      version: this.sources.version,
      uptimeSeconds: Math.round(process.uptime()),
      checks,
    };
  }

  /** Whether the database answers in time. */
  async databaseAnswers(): Promise<boolean> {
    const timeout = new AbortController();
    try {
      const late = delay(DATABASE_MS, false, { signal: timeout.signal });
      return await Promise.race([this.sources.pingDatabase().then(() => true), late]);
    } catch {
      return false;
    } finally {
      timeout.abort();
    }
  }

  private backends(): CheckState {
    const backends = this.sources.backends();
    if (backends.length === 0) return 'off';
    if (backends.every((backend) => backend.healthy)) return 'ok';
    return backends.some((backend) => backend.healthy) ? 'degraded' : 'down';
  }
}
