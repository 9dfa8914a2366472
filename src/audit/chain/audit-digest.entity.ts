import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What all ends of chains add up to, so that none of them can be set back or taken away alone. */
@Entity('audit_digests')
export class AuditDigest {
  /** `chains`: there is one row. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_digests_pkey' })
  name!: string;

  /** See `ChainDigest`. */
  @Column({ type: 'bytea' })
  sum!: Buffer;

  /** Of the sum, with the key of the installation. */
  @Column({ type: 'bytea' })
  mac!: Buffer;
}
