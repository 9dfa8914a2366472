import { ConfigError } from './platform/config/config.js';
import { QueryFailedError } from 'typeorm';
import { describeFailedDatabase } from './platform/database/failed-connection.js';
import { isDiskFull } from './platform/database/postgres-errors.js';
import { describeError } from './platform/telemetry/log.js';
import type { Logger } from 'pino';
import { OperationalError } from './platform/operational-error.js';

/**
 * Catches what nothing else has caught. An exception at the top may have left anything half done, so the process says
 * why and ends; whoever started it starts it again. A promise that nobody waits for any more concerns one request at
 * most, which has been answered: ending the process for it would give any client that finds one a way to end them all.
 */
export function handleUncaughtErrors(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process cannot go on after this and ends');
    // Writes what the log has gathered.
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'nobody has handled this failure');
  });
}

/** What a person is told of a failed start: one line, or a stack where the reason is unknown; never somebody's data. */
export function describeFailure(error: unknown): string {
  // What failed while it was given up says less than why it was.
  if (error instanceof SuppressedError) return describeFailure(error.suppressed);
  if (error instanceof ConfigError || error instanceof OperationalError) return error.message;
  // Its statement may be all tables of a schema.
  if (isDiskFull(error)) return 'The disk of the database is full: make room and start again.';
  const known = error instanceof QueryFailedError ? describeFailedDatabase(error) : undefined;
  if (known !== undefined) return known;
  const { type, message, stack, ...rest } = describeError(error);
  const { cause, ...details } = rest;
  const lines = [
    stack ?? `${type}: ${message}`,
    ...Object.entries(details).map(([name, value]) => `  ${name}: ${String(value)}`),
  ];
  return cause ? `${lines.join('\n')}\nCaused by ${cause.stack ?? cause.message}` : lines.join('\n');
}
