import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files tell what is to be known of how they were read. */
export class KnowledgeFileWarnings1795942400000 implements MigrationInterface {
  readonly name = 'KnowledgeFileWarnings1795942400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE knowledge_files ADD warnings text[] NOT NULL DEFAULT '{}'");
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
