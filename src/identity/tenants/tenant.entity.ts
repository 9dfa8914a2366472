import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../graph/connection.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The plans that a tenant can be on. */
export const Plan = { free: 'free', team: 'team', enterprise: 'enterprise' } as const;
/** One of them. */
export type Plan = keyof typeof Plan;

registerEnumType(Plan, {
  name: 'Plan',
  description: 'What a tenant has subscribed to.',
  valuesConfig: {
    free: { description: 'The smallest.' },
    team: { description: 'For a team.' },
    enterprise: { description: 'For a company.' },
  },
});

/** A customer: users, data and limits belong to exactly one tenant (docs/api.md, Tenants). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A customer; users, data and limits belong to exactly one.' })
@Entity('tenants')
@Index('tenants_is_default', ['isDefault'], { unique: true, where: 'is_default' })
export class Tenant {
  @Field(() => ID, { description: 'Begins with `ten_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tenants_pkey' })
  id!: string;

  @Field(() => String, { description: 'What people call it; 1 to 200 characters.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => Plan, { description: 'What it has subscribed to.' })
  @Column({ type: 'text' })
  plan!: Plan;

  /** What the tenant's own administrators may choose beside the current plan. */
  @Column({ type: 'text', array: true, name: 'allowed_plans' })
  allowedPlans!: Plan[];

  /** The tenant of those whom no other tenant claims; there is one. */
  @Column({ type: 'boolean', name: 'is_default', default: false })
  isDefault!: boolean;

  /** Whether people may register themselves; null: as it is by default. */
  @Column({ type: 'boolean', name: 'registration_open', nullable: true })
  registrationOpen!: boolean | null;

  /** What belonged to it is being erased; nobody is shown it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}

/** A page of tenants. */
export const TenantConnection = connectionType('Tenant', Tenant);
