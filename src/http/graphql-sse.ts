import type { Request, Response } from 'express';
import { createHandler } from 'graphql-sse';
import type { OperationContext, Request as SseRequest } from 'graphql-sse';
import { BadRequest, MethodNotAllowed, NotFound, UnsupportedMediaType } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { RequestContext } from '../context.js';
import type { Graph } from '../graph/graph.js';
import type { GuardedExecution } from '../graph/guarded-execution.js';

interface SseContext {
  readonly response: Response;
}

/**
 * Subscriptions as Server-Sent Events, a connection for each operation (graphql-sse, distinct connections mode).
 * The request's context is in `response.locals.context`, its parsed body in `request.body`.
 */
export function createGraphqlSse(
  graph: Graph,
  guarded: GuardedExecution,
): (request: Request, response: Response) => Promise<void> {
  const handle = createHandler<Request, SseContext, OperationContext>({
    schema: graph.schema,
    validate: guarded.validate as never,
    execute: guarded.execute as never,
    subscribe: guarded.subscribe as never,
    context: (request) => contextOf(request.context.response) as unknown as OperationContext,
    // No tokens, so no connection is shared by operations.
    authenticate: () => null,
  });
  return async (request, response) => {
    const [body, { status, headers }] = await handle(toSseRequest(request, response));
    if (!body || typeof body === 'string') throw refusal(status, body);
    for (const [name, value] of Object.entries(contextOf(response).reply.headers)) response.setHeader(name, value);
    response.setHeader('x-accel-buffering', 'no');
    response.writeHead(status, headers);
    const stop = () => void body.return(undefined);
    response.once('close', stop);
    for await (const event of body) if (!(await isWritten(response, event))) break;
    response.off('close', stop);
    response.end();
  };
}

function toSseRequest(request: Request, response: Response): SseRequest<Request, SseContext> {
  return {
    method: request.method,
    url: request.url,
    headers: {
      // The library wants this value alone; clients may list others behind it.
      get: (name) => (name === 'accept' ? 'text/event-stream' : request.headers[name]?.toString()),
    },
    body: () => request.body as Record<string, unknown>,
    raw: request,
    context: { response },
  };
}

/** What the library refuses before there is a stream, as an error of ours. */
function refusal(status: number, body: string | null): PlatformError {
  if (status === 404) return new NotFound();
  if (status === 405) return new MethodNotAllowed(['POST']);
  if (status === 415) return new UnsupportedMediaType('Send the body as application/json.');
  const { errors } = JSON.parse(body ?? '{}') as { errors?: { message: string }[] };
  return new BadRequest(errors?.[0]?.message ?? 'This is not a GraphQL request.');
}

/** False where the connection is closed; its event may come later. */
function isWritten(response: Response, event: string): Promise<boolean> {
  if (!response.writable) return Promise.resolve(false);
  return new Promise((resolve) => response.write(event, (error) => resolve(!error)));
}

function contextOf(response: Response): RequestContext {
  return response.locals.context as RequestContext;
}
