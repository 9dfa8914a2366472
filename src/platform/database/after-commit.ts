import type { DataSource, EntityManager, EntitySubscriberInterface, QueryRunner } from 'typeorm';

/** Does what must wait until a transaction is committed; what is rolled back is forgotten. */
export class AfterCommit implements EntitySubscriberInterface {
  private readonly waiting = new WeakMap<QueryRunner, (() => void)[]>();

  constructor(dataSource: DataSource) {
    dataSource.subscribers.push(this);
  }

  /**
   * Has something done as soon as a transaction is committed.
   * @param work may not throw
   * @throws Error where there is no transaction
   */
  run(tx: EntityManager, work: () => void): void {
    const runner = tx.queryRunner;
    if (!runner?.isTransactionActive) throw new Error('This is done within a transaction only.');
    const works = this.waiting.get(runner);
    if (works) works.push(work);
    else this.waiting.set(runner, [work]);
  }

  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    // It was a part of another one.
    if (queryRunner.isTransactionActive) return;
    const works = this.waiting.get(queryRunner) ?? [];
    this.waiting.delete(queryRunner);
    for (const work of works) work();
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) this.waiting.delete(queryRunner);
  }
}
