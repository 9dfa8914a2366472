import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log may call users beside their ids. */
export class AuditIdentifiers1795351752474 implements MigrationInterface {
  readonly name = 'AuditIdentifiers1795351752474';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN audit_identifiers text[]');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
