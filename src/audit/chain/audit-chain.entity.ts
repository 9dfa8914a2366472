import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of a chain, and how far it is signed. */
@Entity('audit_chains')
export class AuditChain {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_chains_pkey' })
  chain!: string;

  /** Of the last entry. */
  @Column({ type: 'bigint' })
  sequence!: string;

  /** Of the last entry. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  /** Of the last entry that a checkpoint has; 0: there is none. */
  @Column({ type: 'bigint', name: 'signed_sequence' })
  signedSequence!: string;

  /** When the first entry behind that was sealed; null: there is none. */
  @Column({ type: 'timestamptz', precision: 3, name: 'unsigned_since', nullable: true })
  unsignedSince!: Date | null;

  /** Of the entry behind which the end was found to be another than was written here; null: it never was. */
  @Column({ type: 'bigint', name: 'broken_sequence', nullable: true })
  brokenSequence!: string | null;

  /** Of all of this, with the key of the installation: whoever can only write to the database cannot change it. */
  @Column({ type: 'bytea' })
  mac!: Buffer;
}
