import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditActorType, AuditOutcome } from '../../platform/audit/audit-event.js';
import type { PERSONAL_COLUMNS } from '../../platform/audit/audit-record.entity.js';

/** The chain of what concerns the installation and no tenant. */
export const PLATFORM_CHAIN = 'platform';

/** The tenant whose chain it is; null: the platform's, in which what concerns all chains (undefined) stands, too. */
export function tenantOfChain(chain: string | undefined): string | null {
  return chain === undefined || chain === PLATFORM_CHAIN ? null : chain;
}

/** The commitments of personal columns whose values are erased, base64url. */
export type ErasedCommitments = Partial<Record<(typeof PERSONAL_COLUMNS)[number], string>>;

/** An entry of the audit log, sealed into its chain. */
@Entity('audit_entries')
@Check('audit_entries_sequence', 'sequence BETWEEN 1 AND 9007199254740991')
@Check('audit_entries_salts', 'octet_length(salts) = 80')
@Check('audit_entries_outcome', `outcome IN ('success', 'failure', 'denied')`)
@Check('audit_entries_created_at', `created_at BETWEEN '2000-01-01Z' AND '9999-01-01Z'`)
@Index('audit_entries_chain_id', ['chain', 'id'])
@Index('audit_entries_actor_id', ['actorId', 'id'])
@Index('audit_entries_target_id', ['targetId', 'id'])
export class AuditEntryRow {
  /** The tenant's id, or `platform`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_entries_pkey' })
  chain!: string;

  /** From 1, without gaps. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'audit_entries_pkey' })
  sequence!: string;

  @Index('audit_entries_id', { unique: true })
  @Column({ type: 'text' })
  id!: string;

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

  /** As in `AuditRecord`; zeros where the value is erased. */
  @Column({ type: 'bytea' })
  salts!: Buffer;

  /** Of the values that are erased; null: none is. */
  @Column({ type: 'jsonb', nullable: true })
  erased!: ErasedCommitments | null;

  /** Null for the first entry of a chain. */
  @Column({ type: 'bytea', name: 'previous_hash', nullable: true })
  previousHash!: Buffer | null;

  /** SHA-256, see `hashEntry`. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  /** Of the hash and of what is erased, see `macOfEntry`. */
  @Column({ type: 'bytea' })
  mac!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}
