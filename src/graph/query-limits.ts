import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import type { ASTVisitor, ValidationContext, ValidationRule } from 'graphql';
import { BadRequest } from '../errors.js';

/** How deep, how wide and how costly a query from outside may be. REST documents are ours and not limited. */
export const QUERY_LIMITS = { depth: 12, aliases: 15, complexity: 5_000 } as const;

/**
 * The rules that every query from outside passes before it runs, on every transport.
 * @param production introspection, `_service` included, is off in production
 */
export function queryRules(production: boolean): ValidationRule[] {
  const limits = [
    maxDepthRule({ n: QUERY_LIMITS.depth, flattenFragments: true, ...reportAs('depth') }),
    maxAliasesRule({ n: QUERY_LIMITS.aliases, ...reportAs('aliases') }),
    costLimitRule({ maxCost: QUERY_LIMITS.complexity, flattenFragments: true, ...reportAs('complexity') }),
  ] as unknown as ValidationRule[];
  return production ? [...limits, NoSchemaIntrospectionCustomRule, NoServiceIntrospection] : limits;
}

function reportAs(limit: keyof typeof QUERY_LIMITS) {
  const message = `The query is over the limit of ${QUERY_LIMITS[limit]} for its ${limit}.`;
  return {
    // Thrown inside a visitor the error would end up as a failure of the server.
    propagateOnRejection: false,
    onReject: [(context: ValidationContext | null) => context?.reportError(new BadRequest(message))],
  };
}

/** `_service` prints the whole schema, so it follows the rule for introspection. */
function NoServiceIntrospection(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      if (node.name.value === '_service' && context.getParentType() === context.getSchema().getQueryType()) {
        context.reportError(new GraphQLError('Introspection is off.', { nodes: node }));
      }
    },
  };
}
