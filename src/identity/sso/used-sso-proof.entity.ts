import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A proof that somebody has signed in with: it counts once, on whichever replica. */
@Entity('used_sso_proofs')
@Index('used_sso_proofs_expires_at', ['expiresAt'])
export class UsedSsoProof {
  /** SHA-256, base64url; of what, says who writes it. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'used_sso_proofs_pkey' })
  hash!: string;

  /** From when on the proof would be refused for its age. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
