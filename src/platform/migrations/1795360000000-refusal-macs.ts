import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The MACs of refusals that are counted. */
export class RefusalMacs1795360000000 implements MigrationInterface {
  readonly name = 'RefusalMacs1795360000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_refusals ADD COLUMN mac bytea');
    // Without a MAC they would be taken for somebody else's. Their first ones have records; the windows begin anew.
    await runner.query('DELETE FROM audit_refusals');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
