import { setTimeout as delay } from 'node:timers/promises';
import type { CheckState, HealthCheck } from '../platform/telemetry/health.js';
import type { Health, HealthChecks } from './health.types.js';

/** How long a check may take before its part counts as down. */
const CHECK_MS = 1_000;

/** Tells how the server and what it stands on do. */
export class HealthService {
  /** @param checks of every part, by name */
  constructor(
    private readonly version: string,
    private readonly checks: () => Readonly<Record<string, HealthCheck>>,
  ) {}

  async check(): Promise<Health> {
    const names = Object.keys(this.checks());
    const states = await Promise.all(names.map((name) => this.stateOf(name)));
    const healthy = states.every((state) => state === 'ok' || state === 'off');
    return {
      status: healthy ? 'ok' : 'degraded',
      version: this.version,
      uptimeSeconds: Math.round(process.uptime()),
      checks: Object.fromEntries(names.map((name, index) => [name, states[index]])) as unknown as HealthChecks,
    };
  }

  /** Whether the database answers in time. */
  async databaseAnswers(): Promise<boolean> {
    return (await this.stateOf('database')) === 'ok';
  }

  private async stateOf(name: string): Promise<CheckState> {
    const timeout = new AbortController();
    try {
      const late = delay(CHECK_MS, 'down' as const, { signal: timeout.signal });
      return await Promise.race([this.checks()[name]?.() ?? 'off', late]);
    } catch {
      return 'down';
    } finally {
      timeout.abort();
    }
  }
}
