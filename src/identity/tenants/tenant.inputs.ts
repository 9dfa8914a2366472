import { Field, InputType } from 'type-graphql';
import { Plan } from './tenant.entity.js';

/** A tenant that is to be made. */
@InputType({ description: 'A tenant that is to be made.' })
export class CreateTenantInput {
  @Field(() => String, { description: '1 to 200 characters.' })
  name!: string;

  @Field(() => Plan, { nullable: true, description: '`free` by default.' })
  plan?: Plan | null;
}

/** What may be changed about a tenant; a field that is left out keeps its value, and none may be null. */
@InputType({ description: 'What is left out keeps its value.' })
export class UpdateTenantInput {
  @Field(() => String, { nullable: true, description: '1 to 200 characters.' })
  name?: string | null;

  @Field(() => Plan, { nullable: true, description: 'Tenant administrators choose among the plans allowed to them.' })
  plan?: Plan | null;
}
