import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { ValidationContext, ValidationRule } from 'graphql';
import { BadRequest } from '../errors.js';

/** How deep, how wide and how costly a query from outside may be. REST documents are ours and not limited. */
export const QUERY_LIMITS = { depth: 12, aliases: 15, complexity: 5_000 } as const;

/**
 * The rules that every query from outside passes before it runs, on every transport.
 * @param production introspection is off in production; `_service` needs a service key there
 */
export function queryRules(production: boolean): ValidationRule[] {
  const limits = [
    maxDepthRule({ n: QUERY_LIMITS.depth, flattenFragments: true, ...reportAs('depth') }),
    maxAliasesRule({ n: QUERY_LIMITS.aliases, ...reportAs('aliases') }),
    costLimitRule({ maxCost: QUERY_LIMITS.complexity, flattenFragments: true, ...reportAs('complexity') }),
  ] as unknown as ValidationRule[];
  return production ? [...limits, NoSchemaIntrospectionCustomRule] : limits;
}

function reportAs(limit: keyof typeof QUERY_LIMITS) {
  const message = `The query is over the limit of ${QUERY_LIMITS[limit]} for its ${limit}.`;
  return {
    // Thrown inside a visitor the error would end up as a failure of the server.
    propagateOnRejection: false,
    onReject: [(context: ValidationContext | null) => context?.reportError(new BadRequest(message))],
  };
}
