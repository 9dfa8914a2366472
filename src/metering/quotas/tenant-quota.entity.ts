import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Tenant } from '../../identity/domain.js';

/** What a tenant and each of its users may use in a calendar month (UTC), and store at once; null is no limit. */
@Entity('tenant_quotas')
export class TenantQuota {
  @PrimaryColumn({ type: 'text', name: 'tenant_id', primaryKeyConstraintName: 'tenant_quotas_pkey' })
  tenantId!: string;

  @OneToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'tenant_quotas_tenant_id_fkey' })
  tenant?: Tenant;

  /** Whether calls over a limit are refused; otherwise limits are only reported. */
  @Column({ type: 'boolean' })
  enforcing!: boolean;

  /** Calls of the whole tenant. */
  @Column({ type: 'bigint', nullable: true })
  requests!: string | null;

  /** Tokens of the whole tenant. */
  @Column({ type: 'bigint', nullable: true })
  tokens!: string | null;

  /** Calls of each user. */
  @Column({ type: 'bigint', name: 'user_requests', nullable: true })
  userRequests!: string | null;

  /** Tokens of each user. */
  @Column({ type: 'bigint', name: 'user_tokens', nullable: true })
  userTokens!: string | null;

  /** Bytes of stored files of the whole tenant. */
  @Column({ type: 'bigint', name: 'storage_bytes', nullable: true })
  storageBytes!: string | null;

  /** Bytes of stored files of each user. */
  @Column({ type: 'bigint', name: 'user_storage_bytes', nullable: true })
  userStorageBytes!: string | null;

  /** Seconds of sound of the whole tenant. */
  @Column({ type: 'bigint', name: 'audio_seconds', nullable: true })
  audioSeconds!: string | null;

  /** Seconds of sound of each user. */
  @Column({ type: 'bigint', name: 'user_audio_seconds', nullable: true })
  userAudioSeconds!: string | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;
}
