import type { Logger } from 'pino';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** Passes what TypeORM tells to the server's log, always without the parameters of statements. */
export class DatabaseLogger implements TypeOrmLogger {
  constructor(private readonly target: Logger) {}

  /** Statements are not logged. */
  logQuery(): void {}

  /** Errors are thrown, and logged where they are handled. */
  logQueryError(): void {}

  logQuerySlow(durationMs: number, sql: string): void {
    this.target.debug({ duration_ms: durationMs, sql }, 'slow statement');
  }

  logSchemaBuild(message: string): void {
    this.target.debug(message);
  }

  logMigration(message: string): void {
    this.target.warn(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.target[level === 'warn' ? 'warn' : 'debug'](String(message));
  }
}
