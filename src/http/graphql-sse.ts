import type { Request, Response } from 'express';
import type { ExecutionArgs } from 'graphql';
import { createHandler } from 'graphql-sse';
import type { OperationContext, Request as SseRequest } from 'graphql-sse';
import type { RequestContext } from '../context.js';
import { InternalError } from '../errors.js';
import type { Graph } from '../graph/graph.js';
import type { GuardedExecution } from '../graph/guarded-execution.js';
import type { CheckedOperation, OperationRequest } from '../graph/operations.js';
import { noteCut } from '../rest/cut-answers.js';

/** How the library begins a result. */
const RESULT = 'event: next';
/** How it begins one that has errors. */
const FAILED_RESULT = `${RESULT}\ndata: {"errors":`;

interface SseContext {
  readonly operation: OperationRequest;
  readonly args: ExecutionArgs;
  readonly pace: ResultPace;
}

/** Executes an operation that was checked, and answers it as Server-Sent Events. */
export type GraphqlSse = (
  operation: CheckedOperation & OperationRequest,
  context: RequestContext,
  request: Request,
  response: Response,
) => Promise<void>;

/** Operations as Server-Sent Events, a connection for each (graphql-sse, distinct connections mode). */
export function createGraphqlSse(graph: Graph, guarded: GuardedExecution): GraphqlSse {
  const handle = createHandler<Request, SseContext, OperationContext>({
    onSubscribe: ({ context }) => context.args as never,
    // Checked before it came here.
    validate: () => [],
    execute: guarded.execute as never,
    subscribe: guarded.subscribe as never,
    // The library takes results as fast as they come, whether anybody reads or not.
    onNext: (_context, { context }) => context.pace.turn(),
    // No tokens, so no connection is shared by operations.
    authenticate: () => null,
  });
  return async (operation, context, request, response) => {
    const { document, operationName, variables } = operation;
    const args = { schema: graph.schema, document, operationName, variableValues: variables, contextValue: context };
    const pace = new ResultPace();
    const [body, { status, headers }] = await handle(toSseRequest(request, { operation, args, pace }));
    if (!body || typeof body === 'string') throw new InternalError();
    for (const [name, value] of Object.entries(context.reply.headers)) response.setHeader(name, value);
    response.setHeader('x-accel-buffering', 'no');
    response.writeHead(status, headers);
    const stop = () => {
      pace.end();
      void body.return(undefined);
    };
    response.once('close', stop);
    for await (const event of body) {
      if (event.startsWith(FAILED_RESULT)) noteCut(response);
      if (!(await isWritten(response, event))) break;
      if (event.startsWith(RESULT)) pace.written();
    }
    pace.end();
    response.off('close', stop);
    response.end();
  };
}

/** Lets the next result of an operation come when the one before it is written, so that a slow reader costs no memory. */
class ResultPace {
  private mustWait = false;
  private isOver = false;
  private wake: (() => void) | undefined;

  /** Settles when a result may be made ready. It is called for one after another. */
  async turn(): Promise<void> {
    if (this.mustWait && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    this.mustWait = true;
  }

  written(): void {
    this.mustWait = false;
    this.wake?.();
  }

  /** Nobody waits any more: what is read from the operation now, nobody gets. */
  end(): void {
    this.isOver = true;
    this.wake?.();
  }
}

/** The request as the library reads it: always a POST of an operation that is known to have its form. */
function toSseRequest(request: Request, context: SseContext): SseRequest<Request, SseContext> {
  const { query, operationName, variables } = context.operation;
  const headers: Readonly<Record<string, string>> = {
    accept: 'text/event-stream',
    'content-type': 'application/json; charset=utf-8',
  };
  return {
    method: 'POST',
    url: request.url,
    headers: { get: (name) => headers[name] },
    body: () => ({ query, operationName, variables }) as Record<string, unknown>,
    raw: request,
    context,
  };
}

/** False where the connection is closed; its event may come later. */
function isWritten(response: Response, event: string): Promise<boolean> {
  if (!response.writable) return Promise.resolve(false);
  return new Promise((resolve) => response.write(event, (error) => resolve(!error)));
}
