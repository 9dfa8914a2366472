import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The plans that a tenant can be on (CONTRACT, section 8). */
export const Plan = { free: 'free', team: 'team', enterprise: 'enterprise' } as const;
/** One of them. */
export type Plan = keyof typeof Plan;

registerEnumType(Plan, { name: 'Plan', description: 'What a tenant has subscribed to.' });

/** A customer: users, data and limits belong to exactly one tenant (specification, section 2, Tenant). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A customer; users, data and limits belong to exactly one.' })
@Entity('tenants')
export class Tenant {
  @Field(() => ID)
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tenants_pkey' })
  id!: string;

  @Field(() => String)
  @Column({ type: 'text' })
  name!: string;

  @Field(() => Plan)
  @Column({ type: 'text' })
  plan!: Plan;

  /** What the tenant's own administrators may choose beside the current plan. */
  @Column({ type: 'text', array: true, name: 'allowed_plans' })
  allowedPlans!: Plan[];

  @Field(() => Date)
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date)
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}
