import type { HealthCheck } from '../platform/telemetry/health.js';
import { HealthProbe } from '../platform/telemetry/health-probe.js';
import type { Health, HealthChecks } from './health.types.js';

/** Tells how the server and what it stands on do. */
export class HealthService {
  /** By the name of the check. */
  private readonly probes = new Map<string, HealthProbe>();

  /** @param checks of every part, by name */
  constructor(
    private readonly version: string,
    private readonly checks: () => Readonly<Record<string, HealthCheck>>,
  ) {}

  /** All checks at once, within the bound of one probe. */
  async check(): Promise<Health> {
    const names = Object.keys(this.checks());
    const states = await Promise.all(names.map((name) => this.probeOf(name).state()));
    const healthy = states.every((state) => state === 'ok' || state === 'off');
    return {
      status: healthy ? 'ok' : 'degraded',
      version: this.version,
      uptimeSeconds: Math.round(process.uptime()),
      checks: Object.fromEntries(names.map((name, index) => [name, states[index]])) as unknown as HealthChecks,
    };
  }

  /** Whether the database is there. One bound without an answer proves nothing yet, so that a second one is waited for. */
  async databaseAnswers(): Promise<boolean> {
    const probe = this.probeOf('database');
    const first = await probe.state();
    return (first === 'degraded' ? await probe.state() : first) !== 'down';
  }

  private probeOf(name: string): HealthProbe {
    let probe = this.probes.get(name);
    if (!probe) {
      probe = new HealthProbe((signal) => this.checks()[name]?.(signal) ?? 'off');
      this.probes.set(name, probe);
    }
    return probe;
  }
}
