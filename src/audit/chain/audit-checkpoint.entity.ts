import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { AuditKey } from './audit-key.entity.js';

/** `checkpoint`: the chain was like this; `retention`: and what came before has been deleted as the operator wants. */
export type CheckpointPurpose = 'checkpoint' | 'retention';

/** A signed word on how a chain was at one of its entries. */
@Entity('audit_checkpoints')
export class AuditCheckpoint {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_checkpoints_pkey' })
  chain!: string;

  /** The entry's. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'audit_checkpoints_pkey' })
  sequence!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_checkpoints_pkey' })
  purpose!: CheckpointPurpose;

  @Column({ type: 'text' })
  kid!: string;

  @ManyToOne(() => AuditKey)
  @JoinColumn({ name: 'kid', foreignKeyConstraintName: 'audit_checkpoints_kid_fkey' })
  key?: Relation<AuditKey>;

  /** A JWS (RFC 7515) in its compact form. */
  @Column({ type: 'text' })
  token!: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}
