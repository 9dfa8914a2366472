import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever writes passages says how many words the index only notes. */
export class NotedWords1795425000000 implements MigrationInterface {
  readonly name = 'NotedWords1795425000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX knowledge_chunks_words RESET (gin_pending_list_limit)');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
