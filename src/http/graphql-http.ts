import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import { formatGraphqlError, tellRetries, toPlatformError } from '../graph/platform-error.js';
import { queryRules } from '../graph/query-limits.js';
import type { Graph } from '../graph/graph.js';
import type { Idempotency } from '../graph/idempotency.js';
import { graphqlIdempotency } from './graphql-idempotency.js';

interface GraphqlHttpOptions {
  readonly graph: Graph;
  readonly production: boolean;
  readonly log: Logger;
  readonly idempotency: Idempotency;
  readonly logOf: (context: RequestContext) => Logger;
}

const silent = pino({ level: 'silent' });

/** GraphQL over HTTP: one operation a request, persisted operations by their hash, errors masked. */
export async function createGraphqlHttp(options: GraphqlHttpOptions): Promise<ApolloServer<RequestContext>> {
  const server = new ApolloServer<RequestContext>({
    schema: options.graph.schema,
    // Our own rules decide by environment.
    introspection: true,
    validationRules: queryRules(options.production),
    allowBatchedHttpRequests: false,
    // Credentials come in headers only, never in cookies: there is no request that a foreign page could forge.
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: options.log,
    // Has no context; what is unknown was logged with its request before.
    formatError: (_formatted, error) => formatGraphqlError(error, silent),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      replyHeaders,
      graphqlIdempotency(options.graph, options.idempotency, options.logOf),
      observeErrors(options.logOf),
    ],
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

/** Unknown errors go to the log with the id of their request; those that say how long to wait do so in headers too. */
function observeErrors(logOf: (context: RequestContext) => Logger): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      return {
        async didEncounterErrors({ contextValue, errors }) {
          for (const error of errors) toPlatformError(error, logOf(contextValue));
          tellRetries(errors, contextValue.reply);
        },
      };
    },
  };
}
