import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files tell what is to be known of how they were read. */
export class DocumentFileWarnings1795942401000 implements MigrationInterface {
  readonly name = 'DocumentFileWarnings1795942401000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE documents ADD warnings text[] NOT NULL DEFAULT '{}'");
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
