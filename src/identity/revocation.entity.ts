import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a revocation names: one token (`jti`), a session (`sid`), or all tokens of a user that are older than a version. */
export type RevocationKind = 'token' | 'session' | 'user';

/** Access tokens that no longer count although they have not expired. */
@Entity('revocations')
@Index('revocations_created_at', ['createdAt'])
export class Revocation {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'revocations_pkey' })
  kind!: RevocationKind;

  /** The id of the token, session or user. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'revocations_pkey' })
  subject!: string;

  /** For users: tokens with a lower version are worthless. */
  @Column({ type: 'integer', name: 'min_version', nullable: true })
  minVersion!: number | null;

  /** By the database's clock: other replicas read what is new since they last looked. */
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** The last token that it concerns has expired by then. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
