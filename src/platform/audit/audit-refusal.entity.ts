import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditActorType, AuditOutcome } from './audit-event.js';

/** Refusals of one kind in a window of time: the first ones have records of their own, the others are counted. */
@Entity('audit_refusals')
export class AuditRefusal {
  /** Who was refused what, as a hash. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_refusals_pkey' })
  key!: string;

  @Column({ type: 'text', name: 'tenant_id', nullable: true })
  tenantId!: string | null;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text', name: 'actor_type' })
  actorType!: AuditActorType;

  @Column({ type: 'text', name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column({ type: 'text', name: 'target_type', nullable: true })
  targetType!: string | null;

  @Column({ type: 'text', name: 'target_id', nullable: true })
  targetId!: string | null;

  @Column({ type: 'text' })
  outcome!: AuditOutcome;

  @Column({ type: 'text' })
  reason!: string;

  /** Where those come from who have not proven to be anybody, see `toSite`; null for everybody else. */
  @Column({ type: 'text', nullable: true })
  network!: string | null;

  /** All of the window. */
  @Column({ type: 'integer' })
  count!: number;

  /** Those that have a record of their own. */
  @Column({ type: 'integer' })
  recorded!: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'ends_at' })
  endsAt!: Date;

  /** Of what is counted, see `macOfRefusal`; null where somebody else has written the row. */
  @Column({ type: 'bytea', nullable: true })
  mac!: Buffer | null;
}
