import type { TelemetryConfig } from './config.js';
import { Metrics } from './metrics.js';
import { startTracing } from './tracing.js';
import type { Tracing } from './tracing.js';

/** What the operator can watch the server with, beside its log. */
export interface Observability {
  readonly metrics: Metrics;
  /** Undefined where no collector is configured. */
  readonly tracing?: Tracing;
}

/** Starts metrics, and traces where a collector is configured. */
export async function startObservability(config: TelemetryConfig): Promise<Observability> {
  const endpoint = config.otelExporterOtlpEndpoint;
  const tracing = endpoint === undefined ? undefined : await startTracing(endpoint);
  return { metrics: new Metrics(), tracing };
}
