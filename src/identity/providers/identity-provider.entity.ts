import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';
import type { OpenSettings, ProviderKind } from './provider-settings.js';

/** Who tells who people are, in place of a password that is kept here. */
@Entity('identity_providers')
@Index('identity_providers_tenant_id', ['tenantId', 'id'])
@Index('identity_providers_tid', ['tid'], { unique: true, where: 'tid IS NOT NULL' })
export class IdentityProvider {
  /** Begins with `dir_`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'identity_providers_pkey' })
  id!: string;

  /** The tenant that all of its people belong to. */
  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'identity_providers_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Column({ type: 'text' })
  kind!: ProviderKind;

  @Column({ type: 'text' })
  name!: string;

  /** A sysadmin has set it up, or looked at it since a tenant's administrator changed it. */
  @Column({ type: 'boolean' })
  approved!: boolean;

  /** Whether it is meant to be used; nobody signs in by one that is not approved, too. */
  @Column({ type: 'boolean' })
  enabled!: boolean;

  /** The tenant id of an SSO provider, as its proofs name it; unique in the whole installation. */
  @Column({ type: 'text', nullable: true })
  tid!: string | null;

  /** As its kind has them, without what is secret. */
  @Column({ type: 'jsonb' })
  settings!: OpenSettings;

  /** `SecretSettings` as JSON, sealed with the id as context. */
  @Column({ type: 'bytea', name: 'secrets_sealed' })
  secretsSealed!: Buffer;

  /** Counts the changes. */
  @Column({ type: 'integer' })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}
