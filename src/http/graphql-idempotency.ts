import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import type { Logger } from 'pino';
import { toStoredJson } from '../admission/stored-response.js';
import type { RequestContext } from '../context.js';
import type { Graph } from '../graph/graph.js';
import { claimOperation } from '../graph/idempotent-operation.js';
import { formatGraphqlError, toPlatformError } from '../graph/platform-error.js';

/**
 * Idempotency-Key on GraphQL over HTTP: a mutation with one root field is made once, as the same request over REST is.
 * Responses with errors are not stored.
 */
export function graphqlIdempotency(
  graph: Graph,
  logOf: (context: RequestContext) => Logger,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let isReplayed = false;
      return {
        async responseForOperation({ contextValue, document, operation, request }) {
          try {
            const replay = await claimOperation(
              { document, operation, variables: request.variables },
              contextValue,
              graph,
            );
            if (!replay) return null;
            isReplayed = true;
            return toResponse(JSON.parse(replay.body.toString('utf8')));
          } catch (error) {
            // A plugin that throws would make it an error of the server.
            const known = toPlatformError(error, logOf(contextValue));
            contextValue.reply.setAll(known.headers);
            return toResponse({ errors: [formatGraphqlError(known, logOf(contextValue))] });
          }
        },
        async willSendResponse({ contextValue: { admission }, response: { body } }) {
          if (isReplayed || body.kind !== 'single') return;
          const { singleResult } = body;
          if (singleResult.errors) await admission.release();
          else await admission.completeOrWarn(() => toStoredJson(200, {}, singleResult));
        },
      };
    },
  };
}

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

function toResponse(singleResult: SingleResult): GraphQLResponse {
  return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
}
