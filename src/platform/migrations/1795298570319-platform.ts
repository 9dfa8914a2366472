import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that serve this database: whether each is alive. */
export class Platform1795298570319 implements MigrationInterface {
  readonly name = 'Platform1795298570319';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE processes (
    id text NOT NULL,
    started_at timestamptz(3) NOT NULL DEFAULT now(),
    alive_until timestamptz(3) NOT NULL,
    CONSTRAINT processes_pkey PRIMARY KEY (id)
  )`,
];
