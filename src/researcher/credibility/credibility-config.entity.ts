import { Field, Float, ID, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { Tenant } from '../../identity/domain.js';
import { CredibilityRule } from './credibility-config.types.js';

/** How credible a tenant takes hosts of the web to be (docs/api.md, Credibility of sources). */
@ObjectType({ simpleResolvers: true, description: 'How credible a tenant takes hosts of the web to be.' })
@Entity('credibility_configs')
@Index('credibility_configs_tenant_id', ['tenantId', 'id'])
@Index('credibility_configs_default', ['tenantId'], { unique: true, where: 'is_default' })
export class CredibilityConfig {
  @Field(() => ID, { description: 'Begins with `cred_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'credibility_configs_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `researcher.credibility`.' })
  readonly object = 'researcher.credibility';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'credibility_configs_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => String, { description: 'What people call it.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => [CredibilityRule], {
    description: 'Up to 500. The most specific pattern that fits a host tells its score.',
  })
  @Column({ type: 'jsonb' })
  rules!: CredibilityRule[];

  @Field(() => Float, { description: 'Of hosts that no pattern fits, 0 to 1.' })
  @Column({ type: 'double precision', name: 'default_score' })
  defaultScore!: number;

  @Field(() => Float, { description: 'What scores less is left out, 0 to 1.' })
  @Column({ type: 'double precision', name: 'min_score' })
  minScore!: number;

  @Field(() => Boolean, { description: 'Whether it holds where none is named: one of each tenant does.' })
  @Column({ type: 'boolean', name: 'is_default' })
  isDefault!: boolean;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}

/** A page of configurations. */
export const CredibilityConfigConnection = connectionType('CredibilityConfig', CredibilityConfig);
