import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** What a log line may tell of an error. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
  readonly query?: unknown;
  readonly cause?: LoggedError;
}

/**
 * The server's log: JSON lines.
 * error = somebody must act, warn = heals itself, info = state changes.
 */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    { level, base: undefined, timestamp: stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination,
  );
}

/**
 * An error without what it carries along: TypeORM's and pg's errors hold the parameters and the row (`parameters`,
 * `detail`, headers), and those are somebody's data.
 */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error object' };
  const fields = error as Error & { code?: unknown; constraint?: unknown; table?: unknown; query?: unknown };
  // A database writes values into its messages, such as the text that was no number.
  const fromDatabase = fields.query !== undefined || 'severity' in fields;
  const message = fromDatabase ? `database error ${String(fields.code)}` : fields.message;
  return {
    type: error.name,
    message,
    ...(!fromDatabase && { stack: stdSerializers.err(error).stack }),
    ...(fields.code !== undefined && { code: fields.code }),
    ...(fields.constraint !== undefined && { constraint: fields.constraint }),
    ...(fields.table !== undefined && { table: fields.table }),
    ...(typeof fields.query === 'string' && { query: fields.query }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
