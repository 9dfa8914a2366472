import { execute, getOperationAST, GraphQLError, subscribe } from 'graphql';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import type { Reply } from '../admission/reply.js';
import type { RequestContext } from '../context.js';
import type { Graph } from './graph.js';
import { ResponseBuffer, attemptOfOperation, beginOperation, toStoredJson } from '../admission/idempotency.js';
import type { Attempt, Idempotency, StoredResponse } from '../admission/idempotency.js';
import { formatGraphqlError, maskResult, tellRetries, withOmittedFields } from './platform-error.js';

const DONE = { value: undefined, done: true } as const;

/** What the streaming transports need beside the schema. */
export interface GuardedOptions {
  readonly graph: Graph;
  /** Takes a place among the open streams. @throws Unavailable, RateLimited */
  readonly openStream: (context: RequestContext) => Promise<() => void>;
  readonly idempotency: Idempotency;
  readonly logOf: (context: RequestContext) => Logger;
}

/**
 * graphql-js's functions for graphql-ws and graphql-sse, with our limits, our errors, a place held for each stream, and
 * operations that are made once for their Idempotency-Key.
 * An error that a stream throws becomes its last result: the transports would end the connection for it.
 */
export class GuardedExecution {
  constructor(private readonly options: GuardedOptions) {}

  execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const context = args.contextValue as RequestContext;
    const log = this.options.logOf(context);
    try {
      const attempt = this.attemptOf(args);
      const kept = await beginOperation(attempt, context, this.options.graph);
      if (kept) return JSON.parse(kept.body.toString('utf8')) as ExecutionResult;
      const answer = await execute(args);
      tellRetries(answer.errors, context.reply);
      const result = withOmittedFields(maskResult(answer, log), context.reply);
      await endAttempt(attempt, result.errors ? 'failed' : toStoredJson(200, {}, result), log);
      return result;
    } catch (error) {
      tellRetries([error], context.reply);
      return errorResult(error, log);
    }
  };

  subscribe = async (args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> => {
    const context = args.contextValue as RequestContext;
    const log = this.options.logOf(context);
    let close: (() => void) | undefined;
    try {
      const attempt = this.attemptOf(args);
      const kept = await beginOperation(attempt, context, this.options.graph);
      if (kept) return repeated(kept);
      close = await this.options.openStream(context);
      const source = await subscribe(args);
      if (Symbol.asyncIterator in source) {
        const recorder = attempt && new ResultsRecorder(attempt, log);
        return new GuardedResults(source, { log, signal: context.signal, reply: context.reply, close, recorder });
      }
      close();
      tellRetries(source.errors, context.reply);
      return maskResult(source, log);
    } catch (error) {
      close?.();
      tellRetries([error], context.reply);
      return errorResult(error, log);
    }
  };

  private attemptOf({ document, operationName, variableValues, contextValue }: ExecutionArgs): Attempt | undefined {
    const { graph, idempotency } = this.options;
    const asked = {
      document,
      operation: getOperationAST(document, operationName) ?? undefined,
      variables: variableValues,
    };
    return attemptOfOperation(asked, contextValue as RequestContext, graph, idempotency);
  }
}

/** Ends an attempt with what may be told again. Never fails: what was made is told in any case. */
async function endAttempt(
  attempt: Attempt | undefined,
  answer: StoredResponse | 'failed' | undefined,
  log: Logger,
): Promise<void> {
  try {
    await (answer === 'failed' ? attempt?.release() : attempt?.keep(answer));
  } catch (error) {
    log.warn({ err: error }, 'the end of an idempotent request is not recorded yet');
  }
}

/** The results of an earlier subscription, a line each. */
async function* repeated({ body }: StoredResponse): AsyncGenerator<ExecutionResult, undefined> {
  for (const line of body.toString('utf8').split('\n').slice(0, -1)) yield JSON.parse(line) as ExecutionResult;
}

/** Keeps the results of a subscription for its key. */
class ResultsRecorder {
  private readonly copy = new ResponseBuffer();
  private failed = false;

  constructor(
    private readonly attempt: Attempt,
    private readonly log: Logger,
  ) {}

  record(result: ExecutionResult): void {
    this.failed ||= result.errors !== undefined;
    this.copy.add(Buffer.from(`${JSON.stringify(result)}\n`));
  }

  /** Keeps what is whole; to be awaited before the client sees the end. */
  async end(): Promise<void> {
    const body = this.copy.whole;
    await endAttempt(this.attempt, this.failed ? 'failed' : body && { status: 200, headers: {}, body }, this.log);
  }
}

interface Surroundings {
  readonly log: Logger;
  readonly reply: Reply;
  /** Of the request: aborted when nobody waits any more, or when the stream must stop. */
  readonly signal: AbortSignal;
  /** Gives the place of the stream back. */
  readonly close: () => void;
  /** Undefined: nobody may ask for the results again. */
  readonly recorder: ResultsRecorder | undefined;
}

/** The results of a subscription. Not a generator: `return()` must not wait for a pending `next()`. */
class GuardedResults implements AsyncIterableIterator<ExecutionResult> {
  private begun = false;
  private ended = false;
  private stop: ((reason: unknown) => void) | undefined;

  constructor(
    private readonly source: AsyncGenerator<ExecutionResult>,
    private readonly surroundings: Surroundings,
  ) {
    surroundings.signal.addEventListener('abort', this.abort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const { log, recorder } = this.surroundings;
    if (this.ended) return DONE;
    try {
      const result = await this.pull();
      // Left meanwhile: what seems to be the end is not that of the answer.
      if (this.ended) return DONE;
      if (!result.done) {
        const value = this.told(maskResult(result.value, log));
        recorder?.record(value);
        return { value, done: false };
      }
      await recorder?.end();
      this.end();
      return DONE;
    } catch (error) {
      if (this.ended) return DONE;
      void this.return();
      return { value: errorResult(error, log), done: false };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.end();
    // A source that fails while it is closed is closed all the same.
    await this.source.return(undefined).catch(() => undefined);
    return DONE;
  }

  /** Transports take only what has it for a stream that they must close. */
  async throw(error: unknown): Promise<IteratorResult<ExecutionResult, undefined>> {
    await this.return();
    throw error;
  }

  /** The first result names the fields that were left out: nothing before it could. */
  private told(result: ExecutionResult): ExecutionResult {
    if (this.begun) return result;
    this.begun = true;
    return withOmittedFields(result, this.surroundings.reply);
  }

  /** The next result, or the reason of an abort: not every source looks at the request. */
  private pull(): Promise<IteratorResult<ExecutionResult>> {
    const { signal } = this.surroundings;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.stop = reject;
      this.source.next().then(resolve, reject);
    });
  }

  private readonly abort = (): void => this.stop?.(this.surroundings.signal.reason);

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.surroundings.signal.removeEventListener('abort', this.abort);
    this.surroundings.close();
  }
}

function errorResult(error: unknown, log: Logger): ExecutionResult {
  const { message, extensions } = formatGraphqlError(error, log);
  return { errors: [new GraphQLError(message, { extensions })] };
}
