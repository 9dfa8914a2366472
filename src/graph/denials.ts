import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { AccessRule } from '../access/access-rule.js';
import type { RequestContext } from '../context.js';

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/**
 * Has the audit log told of whoever was admitted to a root field for administrators, and was refused there: a privilege
 * that cannot be given, or what is another tenant's.
 * @param ruleOf the access rule of a root field; undefined: anybody may use it
 */
export function recordDenials(
  schema: GraphQLSchema,
  ruleOf: (type: string, field: string) => AccessRule | undefined,
): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const root of roots) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      // Those of the federation have no rule, and none is there for administrators.
      const rule = field.name.startsWith('_') ? undefined : ruleOf(root?.name ?? '', field.name);
      if (rule?.privilege) recordDenialsOf(field, rule);
    }
  }
}

function recordDenialsOf(field: GraphQLField<unknown, RequestContext>, rule: AccessRule): void {
  const withRecord =
    (run: Resolver): Resolver =>
    async (source, args, context, info) => {
      try {
        return await run(source, args, context, info);
      } catch (error) {
        await context.admission.recordDenial(rule, field.name, error);
        throw error;
      }
    };
  if (field.subscribe) field.subscribe = withRecord(field.subscribe);
  else if (field.resolve) field.resolve = withRecord(field.resolve);
}
