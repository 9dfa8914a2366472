import { Field, ID, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Tenant } from '../../identity/domain.js';

/** Which models a tenant may use. */
@ObjectType({ simpleResolvers: true, description: 'Which models a tenant may use. What is denied is never allowed.' })
@Entity('model_policies')
@Index('model_policies_updated_at', ['updatedAt'])
export class ModelPolicy {
  @Field(() => ID, { description: 'Whose policy it is.' })
  @PrimaryColumn({ type: 'text', name: 'tenant_id', primaryKeyConstraintName: 'model_policies_pkey' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'model_policies_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => [String], { description: 'Patterns of models; `*` is any characters, `?` one. Empty: all models.' })
  @Column({ type: 'text', array: true })
  allow!: string[];

  @Field(() => [String], { description: 'Patterns of models that are refused, whatever is allowed.' })
  @Column({ type: 'text', array: true })
  deny!: string[];

  @Field(() => Date, { nullable: true, description: 'Null where it was never set.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date | null;
}
