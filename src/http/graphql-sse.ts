import type { Request, Response } from 'express';
import type { OperationContext } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import type { RequestContext } from '../context.js';
import type { Graph } from '../graph/graph.js';
import type { GuardedExecution } from '../graph/guarded-execution.js';

/**
 * Subscriptions as Server-Sent Events, a connection for each operation (graphql-sse, distinct connections mode).
 * The request's context is in `response.locals.context`, its parsed body in `request.body`.
 */
export function createGraphqlSse(graph: Graph, guarded: GuardedExecution): (request: Request, response: Response) => Promise<void> {
  const handler = createHandler<OperationContext>({
    schema: graph.schema,
    validate: guarded.validate as never,
    execute: guarded.execute as never,
    subscribe: guarded.subscribe as never,
    context: (request) => contextOf(request.context.res),
    // No tokens, so no connection is shared by operations.
    authenticate: () => null,
  });
  return async (request, response) => {
    // The library wants this value alone; clients may list others behind it.
    request.headers.accept = 'text/event-stream';
    response.setHeader('x-accel-buffering', 'no');
    await handler(request, response);
  };
}

function contextOf(response: Response): OperationContext {
  return response.locals.context as RequestContext as unknown as OperationContext;
}
