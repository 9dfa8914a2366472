import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Tenant } from './tenant.entity.js';

/** A domain whose people may register themselves with a tenant; it stands in one tenant's list. */
@Entity('tenant_domains')
@Index('tenant_domains_tenant_id', ['tenantId'])
export class TenantDomain {
  /** Lower case, as in addresses. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tenant_domains_pkey' })
  domain!: string;

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'tenant_domains_tenant_id_fkey' })
  tenant?: Relation<Tenant>;
}
