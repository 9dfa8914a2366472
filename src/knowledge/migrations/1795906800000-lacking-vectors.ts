import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index says whether it has passages without vectors. The vectors themselves are moved at the start (`adoptVectors`). */
export class LackingVectors1795906800000 implements MigrationInterface {
  readonly name = 'LackingVectors1795906800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE knowledge_indexes ADD lacks_vectors boolean NOT NULL DEFAULT false');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
