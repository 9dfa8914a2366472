import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import type { SanitizerPoliciesService } from './sanitizer-policies.service.js';
import { SanitizerPolicy, SanitizerPolicyConnection } from './sanitizer-policy.entity.js';
import { SanitizerPolicyInput, SanitizerPolicyPatch } from './sanitizer-policy.inputs.js';
import { SanitizerRule, SanitizerTest } from './sanitizer-policy.types.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** What is kept from models, for administrators. */
@Resolver()
export class SanitizerPolicyResolver {
  constructor(private readonly service: SanitizerPoliciesService) {}

  @Access(read)
  @Query(() => SanitizerPolicyConnection, { description: 'The sanitizer policies that the caller administers.' })
  sanitizerPolicies(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<SanitizerPolicy>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(read)
  @Query(() => SanitizerPolicy, { description: 'A sanitizer policy that the caller administers.' })
  sanitizerPolicy(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<SanitizerPolicy> {
    return this.service.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => SanitizerPolicy, { description: 'Make a sanitizer policy, for one tenant or (sysadmin) for all.' })
  createSanitizerPolicy(
    @Arg('input', () => SanitizerPolicyInput, { description: 'What it says.' }) input: SanitizerPolicyInput,
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, { nullable: true, description: 'The tenant that it is for alone.' })
    tenantId?: string | null,
  ): Promise<SanitizerPolicy> {
    return this.service.create(callerOf(context), input, tenantId, context.signal);
  }

  @Access(write)
  @Mutation(() => SanitizerPolicy, { description: 'Change a sanitizer policy; calls that have begun go on as it was.' })
  updateSanitizerPolicy(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Arg('patch', () => SanitizerPolicyPatch, { description: 'What is left out keeps its value.' })
    patch: SanitizerPolicyPatch,
    @Ctx() context: RequestContext,
  ): Promise<SanitizerPolicy> {
    return this.service.update(callerOf(context), id, patch, context.signal);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Delete a sanitizer policy; calls that have begun go on as it was.' })
  async deleteSanitizerPolicy(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }

  @Access({ ...write, rateLimited: true, stateless: true })
  @Mutation(() => SanitizerTest, { description: 'Try rules on a text. Nothing is stored.' })
  testSanitizerPolicy(
    @Arg('text', () => String, { description: 'Up to 100,000 characters.' }) text: string,
    @Arg('rules', () => [SanitizerRule], { description: 'As in a policy; all of them, whatever they apply to.' })
    rules: SanitizerRule[],
    @Ctx() context: RequestContext,
  ): Promise<SanitizerTest> {
    return this.service.test(callerOf(context), text, rules, context.signal);
  }
}
