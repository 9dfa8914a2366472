import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever writes passages sets the limit of the pending list of the index of words. */
export class PendingList1795425000000 implements MigrationInterface {
  readonly name = 'PendingList1795425000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX knowledge_chunks_words RESET (gin_pending_list_limit)');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
