import type { Logger } from 'pino';
import type { EntitySubscriberInterface, QueryRunner } from 'typeorm';

/** Logs the transactions that held the embedded database's only connection for too long. */
export class SlowTransactionSubscriber implements EntitySubscriberInterface {
  private readonly startedAt = new WeakMap<QueryRunner, number>();

  constructor(
    private readonly log: Logger,
    private readonly limitMs: number,
  ) {}

  beforeTransactionStart({ queryRunner }: { queryRunner: QueryRunner }): void {
    this.startedAt.set(queryRunner, performance.now());
  }

  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    const durationMs = performance.now() - (this.startedAt.get(queryRunner) ?? Number.POSITIVE_INFINITY);
    if (durationMs > this.limitMs) this.log.debug({ duration_ms: Math.round(durationMs) }, 'slow transaction');
  }
}
