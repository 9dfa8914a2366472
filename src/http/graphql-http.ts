import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import { formatGraphqlError } from '../graph/platform-error.js';
import { queryRules } from '../graph/query-limits.js';
import type { Graph } from '../graph/graph.js';

interface GraphqlHttpOptions {
  readonly graph: Graph;
  readonly production: boolean;
  readonly log: Logger;
}

/** GraphQL over HTTP: one operation a request, persisted operations by their hash, errors masked. */
export async function createGraphqlHttp(options: GraphqlHttpOptions): Promise<ApolloServer<RequestContext>> {
  const server = new ApolloServer<RequestContext>({
    schema: options.graph.schema,
    // Our own rules decide by environment, `_service` included.
    introspection: true,
    validationRules: queryRules(options.production),
    allowBatchedHttpRequests: false,
    // Credentials come in headers only, never in cookies: there is no request that a foreign page could forge.
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: options.log,
    formatError: (_formatted, error) => formatGraphqlError(error, options.log),
    plugins: [ApolloServerPluginLandingPageDisabled(), replyHeaders],
  });
  await server.start();
  return server;
}

/** Puts the headers that resolvers set, such as the rate limit's, on the response. */
const replyHeaders: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue, response }) {
        for (const [name, value] of Object.entries(contextValue.reply.headers)) response.http.headers.set(name, value);
      },
    };
  },
};
