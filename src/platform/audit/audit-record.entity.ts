import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AuditActorType, AuditOutcome } from './audit-event.js';

/** Something that happened, as it was written in the transaction that did it; the audit log takes it from here. */
@Entity('audit_records')
@Check('audit_records_salts', 'octet_length(salts) = 80')
@Check('audit_records_outcome', `outcome IN ('success', 'failure', 'denied')`)
@Check('audit_records_created_at', `created_at BETWEEN '2000-01-01Z' AND '9999-01-01Z'`)
export class AuditRecord {
  /** The order in which they were written. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'audit_records_pkey',
  })
  ordinal!: string;

  @Column({ type: 'text' })
  id!: string;

  /** Null: it concerns the installation. */
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

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'text', nullable: true })
  ip!: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId!: string | null;

  @Column({ type: 'text', name: 'server_request_id', nullable: true })
  serverRequestId!: string | null;

  /** 16 random bytes for each personal column, in the order of `PERSONAL_COLUMNS`. */
  @Column({ type: 'bytea' })
  salts!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** Of all the others but the ordinal, see `macOfRecord`. */
  @Column({ type: 'bytea' })
  mac!: Buffer;
}

/** The columns that may tell who somebody is. */
export const PERSONAL_COLUMNS = ['actor_id', 'target_id', 'ip', 'user_agent', 'request_id'] as const;

/** Bytes of the salt of one personal column. */
export const SALT_BYTES = 16;

/** Bytes of the salts of a record, all together. */
export const SALTS_BYTES = SALT_BYTES * PERSONAL_COLUMNS.length;
