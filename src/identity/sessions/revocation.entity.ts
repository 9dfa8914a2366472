import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What a revocation names: one token (`jti`, the id of a personal access token, or the hash of one of its secrets),
 * a session (`sid`), or all tokens of a user that are older than a version.
 */
export type RevocationKind = 'token' | 'session' | 'user';

/** Tokens that no longer count although they have not expired. */
@Entity('revocations')
@Index('revocations_created_at', ['createdAt'])
export class Revocation {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'revocations_pkey' })
  kind!: RevocationKind;

  /** The id of the token, session or user, or the hash of a secret. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'revocations_pkey' })
  subject!: string;

  /** For users: tokens with a lower version are worthless. */
  @Column({ type: 'integer', name: 'min_version', nullable: true })
  minVersion!: number | null;

  /** From when on it counts; null: from the beginning. */
  @Column({ type: 'timestamptz', precision: 3, name: 'effective_at', nullable: true })
  effectiveAt!: Date | null;

  /** By the database's clock: other replicas read what is new since they last looked. */
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** By then no token that it concerns is taken for valid without a look at the database. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
