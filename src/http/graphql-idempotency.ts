import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import type { Graph } from '../graph/graph.js';
import { attemptOfOperation, beginOperation, toStoredJson } from '../admission/idempotency.js';
import type { Attempt, Idempotency } from '../admission/idempotency.js';
import { formatGraphqlError, toPlatformError } from '../graph/platform-error.js';

/**
 * Idempotency-Key on GraphQL over HTTP: a mutation with one root field is made once, as the same request over REST is.
 * Answers with errors are not kept.
 */
export function graphqlIdempotency(
  graph: Graph,
  idempotency: Idempotency,
  logOf: (context: RequestContext) => Logger,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let attempt: Attempt | undefined;
      let isReplayed = false;
      return {
        async responseForOperation(requested) {
          const { contextValue, document, operation, request } = requested;
          try {
            const asked = { document, operation, variables: request.variables };
            attempt = attemptOfOperation(asked, contextValue, graph, idempotency);
            const kept = await beginOperation(attempt, contextValue, graph);
            if (!kept) return null;
            isReplayed = true;
            return answerOf(JSON.parse(kept.body.toString('utf8')));
          } catch (error) {
            // A plugin that throws would make it an error of the server.
            attempt = undefined;
            const known = toPlatformError(error, logOf(contextValue));
            contextValue.reply.setAll(known.headers);
            return answerOf({ errors: [formatGraphqlError(known, logOf(contextValue))] });
          }
        },
        async willSendResponse({ contextValue, response: { body } }) {
          if (!attempt || isReplayed || body.kind !== 'single') return;
          const isWhole = body.singleResult.errors === undefined;
          try {
            await (isWhole ? attempt.keep(toStoredJson(200, {}, body.singleResult)) : attempt.release());
          } catch (error) {
            logOf(contextValue).warn({ err: error }, 'the end of an idempotent request is not recorded yet');
          }
        },
      };
    },
  };
}

function answerOf(singleResult: Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult']): GraphQLResponse {
  return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
}
