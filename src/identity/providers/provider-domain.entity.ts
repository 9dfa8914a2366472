import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { IdentityProvider } from './identity-provider.entity.js';

/** The domain of the addresses whose people an identity provider knows; it belongs to one in the whole installation. */
@Entity('provider_domains')
@Index('provider_domains_provider_id', ['providerId'])
export class ProviderDomain {
  /** Lower case, as in addresses. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'provider_domains_pkey' })
  domain!: string;

  @Column({ type: 'text', name: 'provider_id' })
  providerId!: string;

  @ManyToOne(() => IdentityProvider, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'provider_domains_provider_id_fkey' })
  provider?: Relation<IdentityProvider>;
}
