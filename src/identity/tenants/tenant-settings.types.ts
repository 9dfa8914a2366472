import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { Plan } from './tenant.entity.js';

/** Who may join a tenant, and what its administrators may choose. */
@ObjectType({ simpleResolvers: true, description: 'Who may join a tenant, and what its administrators may choose.' })
export class TenantSettings {
  @Field(() => ID, { description: 'The tenant.' })
  tenantId!: string;

  @Field(() => [String], { description: 'Domains of addresses whose people may register themselves with the tenant.' })
  allowedDomains!: string[];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether people may register themselves; null: those of its domains, and with the default tenant as NODE_ENV says.',
  })
  registrationOpen!: boolean | null;

  @Field(() => [Plan], { description: "What the tenant's administrators may choose beside the current plan." })
  allowedPlans!: Plan[];

  @Field(() => Date, { description: 'When they, or the tenant, were last changed.' })
  updatedAt!: Date;
}

/** The settings of a tenant, as a whole. */
@InputType({ description: 'The settings of a tenant, as a whole.' })
export class TenantSettingsInput {
  @Field(() => [String], { nullable: true, description: 'None by default; each stands in the list of one tenant.' })
  allowedDomains?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Left out: as it is by default.' })
  registrationOpen?: boolean | null;

  @Field(() => [Plan], { nullable: true, description: 'None by default.' })
  allowedPlans?: Plan[] | null;
}
