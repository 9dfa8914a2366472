import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which backends take callers' own keys. Administrators of tenants could say so of servers that they had chosen themselves,
 * so it is taken over for those backends alone that only sysadmins can change.
 */
export class CallersKeys1795921200000 implements MigrationInterface {
  readonly name = 'CallersKeys1795921200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE backends ADD takes_keys boolean NOT NULL DEFAULT false');
    await runner.query(
      `UPDATE backends SET takes_keys = true WHERE tenant_id IS NULL AND (settings->>'byok')::boolean`,
    );
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
