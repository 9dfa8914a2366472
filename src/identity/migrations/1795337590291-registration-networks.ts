import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which networks an address was registered. */
export class RegistrationNetworks1795337590291 implements MigrationInterface {
  readonly name = 'RegistrationNetworks1795337590291';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE confirmation_codes
        ADD COLUMN network_hash bytea NOT NULL DEFAULT '',
        ADD COLUMN is_contested boolean NOT NULL DEFAULT false`);
    await runner.query('ALTER TABLE confirmation_codes ALTER COLUMN network_hash DROP DEFAULT');
    await runner.query('ALTER TABLE confirmation_codes ALTER COLUMN is_contested DROP DEFAULT');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
