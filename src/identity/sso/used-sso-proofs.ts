import { LessThan } from 'typeorm';
import type { DataSource } from 'typeorm';
import { SsoRefusal } from './sso-refusal.js';
import { UsedSsoProof } from './used-sso-proof.entity.js';

/** By how much the clocks of replicas may differ. */
const MARGIN_MS = 5 * 60 * 1_000;

/** Remembers which proofs were used, for all replicas and over restarts. */
export class UsedSsoProofs {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Uses a proof up.
   * @param expiresAt from when on it would be refused for its age
   * @throws SsoRefusal where it was used before
   */
  async use(hash: string, expiresAt: Date): Promise<void> {
    const inserted = await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(UsedSsoProof)
      .values({ hash, expiresAt })
      .orIgnore()
      .returning('hash')
      .execute();
    if ((inserted.raw as unknown[]).length === 0)
      throw new SsoRefusal('The proof was used before, and each counts once.');
  }

  /** Forgets the proofs that are refused for their age. */
  async prune(): Promise<void> {
    await this.dataSource.getRepository(UsedSsoProof).delete({ expiresAt: LessThan(new Date(Date.now() - MARGIN_MS)) });
  }
}
