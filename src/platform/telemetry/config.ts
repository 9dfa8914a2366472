import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { url } from '../config/variables.js';

/** What the operator sees of the server. */
export const telemetryConfig = z
  .object({
    OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:')
      .optional()
      .describe(
        'An OpenTelemetry collector (OTLP over HTTP) for traces of model calls: http://127.0.0.1:4318; not set: no traces.',
      ),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('fatal, error, warn, info, debug, trace or silent.'),
  })
  .describe('Log and traces');

/** The settings of log and traces. */
export type TelemetryConfig = ConfigOf<typeof telemetryConfig>;
