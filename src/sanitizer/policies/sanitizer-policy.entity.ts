import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { Tenant } from '../../identity/domain.js';
import { SanitizerRule, UnreadableParts } from './sanitizer-policy.types.js';

/** What is kept from models, and from those who read their answers. */
@ObjectType({ simpleResolvers: true, description: 'What is kept from models, and from those who read their answers.' })
@Entity('sanitizer_policies')
@Index('sanitizer_policies_tenant_id', ['tenantId', 'id'])
export class SanitizerPolicy {
  @Field(() => ID, { description: 'Begins with `pol_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sanitizer_policies_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `sanitizer.policy`.' })
  readonly object = 'sanitizer.policy';

  @Field(() => ID, { nullable: true, description: 'The tenant whose calls it is for; null: those of all.' })
  @Column({ type: 'text', name: 'tenant_id', nullable: true })
  tenantId!: string | null;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'sanitizer_policies_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => String, { description: 'What people call it.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => [SanitizerRule], { description: '1 to 200. Where several match, the first names the kind.' })
  @Column({ type: 'jsonb' })
  rules!: SanitizerRule[];

  @Field(() => UnreadableParts, { description: 'What happens to parts that cannot be read.' })
  @Column({ type: 'text' })
  unreadable!: UnreadableParts;

  @Field(() => Boolean, { description: 'Whether it is in force.' })
  @Column({ type: 'boolean' })
  enabled!: boolean;

  @Field(() => Int, { description: 'The rules of higher ones come first; -1,000 to 1,000.' })
  @Column({ type: 'integer' })
  priority!: number;

  /** Counts the changes, so that other replicas see them. */
  @Column({ type: 'integer' })
  revision!: number;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}

/** A page of policies. */
export const SanitizerPolicyConnection = connectionType('SanitizerPolicy', SanitizerPolicy);
