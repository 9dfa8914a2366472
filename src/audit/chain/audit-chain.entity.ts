import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of a chain, and how far it is signed. */
@Entity('audit_chains')
export class AuditChain {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_chains_pkey' })
  chain!: string;

  /** Of the last entry; 0: there is none. */
  @Column({ type: 'bigint' })
  sequence!: string;

  /** Of the last entry. */
  @Column({ type: 'bytea', nullable: true })
  hash!: Buffer | null;

  /** Of the end, with the key of the installation: whoever can only write to the database cannot move it. */
  @Column({ type: 'bytea', nullable: true })
  mac!: Buffer | null;

  /** Of the last entry that a checkpoint has. */
  @Column({ type: 'bigint', name: 'signed_sequence' })
  signedSequence!: string;

  /** When the first entry behind that was sealed; null: there is none. */
  @Column({ type: 'timestamptz', precision: 3, name: 'unsigned_since', nullable: true })
  unsignedSince!: Date | null;
}
