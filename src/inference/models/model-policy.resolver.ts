import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { ModelPoliciesService } from './model-policies.service.js';
import { ModelPolicy } from './model-policy.entity.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** The models that a tenant may use from now on. */
@InputType({ description: 'Replaces the whole policy.' })
export class ModelPolicyInput {
  @Field(() => [String], { description: 'Up to 100 patterns of 1 to 256 characters. Empty: all models.' })
  allow!: string[];

  @Field(() => [String], { description: 'Up to 100 patterns of 1 to 256 characters.' })
  deny!: string[];
}

/** Which models tenants may use, for their administrators. */
@Resolver(() => ModelPolicy)
export class ModelPolicyResolver {
  constructor(private readonly policies: ModelPoliciesService) {}

  @FieldResolver(() => ID, { name: 'id', description: 'The id of its tenant, which has one.' })
  policyId(@Root() { tenantId }: ModelPolicy): string {
    return tenantId;
  }

  @Access(read)
  @Query(() => ModelPolicy, { description: 'Which models a tenant may use.' })
  modelPolicy(
    @Arg('tenantId', () => ID, { description: 'The own tenant; for a sysadmin any.' }) tenantId: string,
    @Ctx() context: RequestContext,
  ): Promise<ModelPolicy> {
    return this.policies.get(callerOf(context), tenantId);
  }

  @Access(write)
  @Mutation(() => ModelPolicy, { description: 'Set which models a tenant may use.' })
  setModelPolicy(
    @Arg('tenantId', () => ID, { description: 'The own tenant; for a sysadmin any.' }) tenantId: string,
    @Arg('policy', () => ModelPolicyInput, { description: 'The whole policy, in place of the one before.' })
    policy: ModelPolicyInput,
    @Ctx() context: RequestContext,
  ): Promise<ModelPolicy> {
    return this.policies.set(callerOf(context), tenantId, policy);
  }
}
