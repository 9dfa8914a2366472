import { ApolloServer, HeaderMap } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import { formatGraphqlError, setRetryHeaders, toPlatformError, withOmittedFields } from '../graph/platform-error.js';
import { OPERATION_LIMITS } from '../graph/operation-limits.js';
import type { OperationChecker, OperationRequest } from '../graph/operations.js';
import type { Graph } from '../graph/graph.js';
import { graphqlIdempotency } from './graphql-idempotency.js';

interface GraphqlHttpOptions {
  readonly graph: Graph;
  /** Has parsed, limited and validated what comes here. */
  readonly checker: OperationChecker;
  readonly log: Logger;
  readonly logOf: (context: RequestContext) => Logger;
}

/** Executes an operation that was checked, and answers it as JSON. */
export type GraphqlHttp = (
  operation: OperationRequest,
  context: RequestContext,
  request: Request,
  response: Response,
) => Promise<void>;

const silent = pino({ level: 'silent' });

/** GraphQL over HTTP: one query or mutation a request, errors masked. */
export async function createGraphqlHttp(options: GraphqlHttpOptions): Promise<GraphqlHttp> {
  const server = new ApolloServer<RequestContext>({
    schema: options.graph.schema,
    // The checker decides by environment.
    introspection: true,
    parseOptions: { maxTokens: OPERATION_LIMITS.tokens },
    // What was checked a moment ago is neither parsed nor validated again.
    documentStore: {
      get: async (key) => options.checker.documentOf(key.slice(-64)),
      set: async () => undefined,
      delete: async () => undefined,
    },
    persistedQueries: false,
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
      graphqlIdempotency(options.graph, options.logOf),
      observeErrors(options.logOf),
    ],
  });
  await server.start();
  return async (operation, context, request, response) => {
    const { status, headers, body } = await server
      .executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: 'POST', headers: acceptOf(request), search: '', body: toBody(operation) },
        context: async () => context,
      })
      .finally(() => context.admission.close());
    if (body.kind !== 'complete') throw new Error('An answer in parts was not asked for.');
    response.statusCode = status ?? 200;
    for (const [name, value] of headers) response.setHeader(name, value);
    response.end(body.string);
  };
}

/** Without what was left out, which the library takes for a value of a wrong type. */
function toBody(operation: OperationRequest): OperationRequest {
  return Object.fromEntries(Object.entries(operation).filter(([, value]) => value !== undefined)) as never;
}

/** All that the answer's form depends on. */
function acceptOf({ headers: { accept } }: Request): HeaderMap {
  const headers = new HeaderMap([['content-type', 'application/json']]);
  if (accept !== undefined) headers.set('accept', accept);
  return headers;
}

/** Puts the headers that resolvers set, such as the rate limit's, on the response. */
const replyHeaders: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue, response }) {
        const { reply } = contextValue;
        const { http, body } = response;
        for (const [name, value] of Object.entries(reply.headers)) http.headers.set(name, value);
        if (body.kind === 'single') body.singleResult = withOmittedFields(body.singleResult, reply);
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
          setRetryHeaders(errors, contextValue.reply);
        },
      };
    },
  };
}
