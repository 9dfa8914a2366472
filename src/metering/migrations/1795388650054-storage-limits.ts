import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tenant and each of its users may have stored. */
export class StorageLimits1795388650054 implements MigrationInterface {
  readonly name = 'StorageLimits1795388650054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tenant_quotas ADD COLUMN storage_bytes bigint, ADD COLUMN user_storage_bytes bigint',
    );
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
