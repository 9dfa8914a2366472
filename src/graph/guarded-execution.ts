import { execute, GraphQLError, specifiedRules, subscribe, validate } from 'graphql';
import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import { formatGraphqlError, maskResult } from './platform-error.js';
import { queryRules } from './query-limits.js';

/** What the streaming transports need beside the schema. */
export interface GuardedOptions {
  readonly production: boolean;
  /** Takes a place among the open streams. @throws Unavailable, RateLimited */
  readonly openStream: (context: RequestContext) => Promise<() => void>;
  readonly logOf: (context: RequestContext) => Logger;
}

/**
 * graphql-js's functions for graphql-ws and graphql-sse, with our limits, our errors, and a place held for each stream.
 * An error that a stream throws becomes its last result: the transports would end the connection for it.
 */
export class GuardedExecution {
  constructor(private readonly options: GuardedOptions) {}

  validate = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
    const errors = validate(schema, document, [...specifiedRules, ...queryRules(this.options.production)]);
    return errors.map(
      (error) =>
        new GraphQLError(error.message, {
          nodes: error.nodes,
          extensions: { type: 'invalid_request_error', code: 'bad_request', status: 400 },
        }),
    );
  };

  execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const log = this.options.logOf(args.contextValue as RequestContext);
    return maskResult(await execute(args), log);
  };

  subscribe = async (args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> => {
    const log = this.options.logOf(args.contextValue as RequestContext);
    let close: (() => void) | undefined;
    try {
      close = await this.options.openStream(args.contextValue as RequestContext);
      const source = await subscribe(args);
      if (Symbol.asyncIterator in source)
        return new GuardedResults(source, log, close) as unknown as AsyncGenerator<ExecutionResult>;
      close();
      return maskResult(source, log);
    } catch (error) {
      close?.();
      return errorResult(error, log);
    }
  };
}

/** The results of a subscription. Not a generator: `return()` must not wait for a pending `next()`. */
class GuardedResults implements AsyncIterableIterator<ExecutionResult> {
  private ended = false;

  constructor(
    private readonly source: AsyncGenerator<ExecutionResult>,
    private readonly log: Logger,
    private readonly close: () => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.ended) return { value: undefined, done: true };
    try {
      const result = await this.source.next();
      if (!result.done) return { value: maskResult(result.value, this.log), done: false };
      this.end();
      return { value: undefined, done: true };
    } catch (error) {
      this.end();
      return { value: errorResult(error, this.log), done: false };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.end();
    await this.source.return(undefined);
    return { value: undefined, done: true };
  }

  private end(): void {
    this.ended = true;
    this.close();
  }
}

function errorResult(error: unknown, log: Logger): ExecutionResult {
  const { message, extensions } = formatGraphqlError(error, log);
  return { errors: [new GraphQLError(message, { extensions })] };
}
