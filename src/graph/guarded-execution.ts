import { execute, getOperationAST, GraphQLError, subscribe } from 'graphql';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import type { ReplayRecorder } from '../admission/replay-recorder.js';
import { toStoredJson } from '../admission/stored-response.js';
import type { StoredResponse } from '../admission/stored-response.js';
import type { Graph } from './graph.js';
import { claimOperation } from './idempotent-operation.js';
import type { ReadPlaces } from './read-places.js';
import { formatGraphqlError, maskResult, setRetryHeaders, withOmittedFields } from './platform-error.js';

const DONE = { value: undefined, done: true } as const;

/** What the streaming transports need beside the schema. */
export interface GuardedOptions {
  readonly graph: Graph;
  readonly reads: ReadPlaces;
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
    const { admission, reply } = context;
    const log = this.options.logOf(context);
    try {
      const replay = await this.claim(args);
      if (replay) return JSON.parse(replay.body.toString('utf8')) as ExecutionResult;
      const answer = await this.options.reads.run(context, args, () => execute(args));
      setRetryHeaders(answer.errors, reply);
      const result = withOmittedFields(maskResult(answer, log), reply);
      if (result.errors) await admission.release();
      else await admission.completeOrWarn(() => toStoredJson(200, {}, result));
      return result;
    } catch (error) {
      setRetryHeaders([error], reply);
      return errorResult(error, log);
    } finally {
      admission.close();
    }
  };

  subscribe = async (args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> => {
    const context = args.contextValue as RequestContext;
    const { admission, reply } = context;
    const log = this.options.logOf(context);
    let closeStream: (() => void) | undefined;
    const close = (): void => {
      closeStream?.();
      admission.close();
    };
    try {
      const replay = await this.claim(args);
      if (replay) return toResults(replay);
      closeStream = await admission.openStream();
      const source = await subscribe(args);
      if (Symbol.asyncIterator in source) return new GuardedResults(source, { log, context, close });
      close();
      setRetryHeaders(source.errors, reply);
      return maskResult(source, log);
    } catch (error) {
      close();
      setRetryHeaders([error], reply);
      return errorResult(error, log);
    }
  };

  private claim(args: ExecutionArgs): Promise<StoredResponse | undefined> {
    const { document, operationName, variableValues, contextValue } = args;
    const operation = getOperationAST(document, operationName) ?? undefined;
    const asked = { document, operation, variables: variableValues };
    return claimOperation(asked, contextValue as RequestContext, this.options.graph);
  }
}

/** The results of an earlier subscription, a line each. */
async function* toResults({ body }: StoredResponse): AsyncGenerator<ExecutionResult, undefined> {
  for (const line of body.toString('utf8').split('\n').slice(0, -1)) yield JSON.parse(line) as ExecutionResult;
}

interface ResultsOptions {
  readonly log: Logger;
  readonly context: RequestContext;
  /** The operation is over. */
  readonly close: () => void;
}

/** The results of a subscription. Not a generator: `return()` must not wait for a pending `next()`. */
class GuardedResults implements AsyncIterableIterator<ExecutionResult> {
  private begun = false;
  private ended = false;
  /** Whether it goes on although its reader has left. */
  private isUnattended = false;
  /** Of the last result that was asked for, where it may go on. */
  private reading: Promise<IteratorResult<ExecutionResult, undefined>> | undefined;
  private leaveReader: ((done: typeof DONE) => void) | undefined;
  private hasErrors = false;
  private stop: ((reason: unknown) => void) | undefined;
  private readonly recorder: ReplayRecorder | undefined;

  constructor(
    private readonly source: AsyncGenerator<ExecutionResult>,
    private readonly options: ResultsOptions,
  ) {
    this.recorder = options.context.admission.record({});
    options.context.signal.addEventListener('abort', this.abort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.isUnattended) return Promise.resolve(DONE);
    if (!this.recorder) return this.read();
    const reading = (this.reading = this.read());
    return new Promise((resolve) => {
      this.leaveReader = resolve;
      void reading.then(resolve);
    });
  }

  private async read(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const { log } = this.options;
    if (this.ended) return DONE;
    try {
      const result = await this.pull();
      // Left meanwhile: what seems to be the end is not that of the answer.
      if (this.ended) return DONE;
      if (!result.done) {
        const value = this.withFirstExtensions(maskResult(result.value, log));
        this.record(value);
        return { value, done: false };
      }
      // Before the client sees the end.
      await this.storeReplay();
      this.end();
      return DONE;
    } catch (error) {
      if (this.ended) return DONE;
      void this.stopSource();
      return { value: errorResult(error, log), done: false };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.isUnattended) return DONE;
    // Nothing is made for whoever leaves before the first result is asked for.
    if (this.ended || !this.reading || !this.options.context.admission.leave()) return this.stopSource();
    this.isUnattended = true;
    this.leaveReader?.(DONE);
    void this.readToEnd(this.reading);
    return DONE;
  }

  private async readToEnd(reading: Promise<IteratorResult<ExecutionResult, undefined>>): Promise<void> {
    let result = await reading;
    while (!result.done) result = await this.read();
  }

  private async stopSource(): Promise<IteratorResult<ExecutionResult, undefined>> {
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

  private record(result: ExecutionResult): void {
    this.hasErrors ||= result.errors !== undefined;
    this.recorder?.record(Buffer.from(`${JSON.stringify(result)}\n`));
  }

  private async storeReplay(): Promise<void> {
    const { admission } = this.options.context;
    if (this.hasErrors) await admission.release();
    else await admission.completeOrWarn(() => this.recorder?.response);
  }

  /** The first result names the fields that were left out: nothing before it could. */
  private withFirstExtensions(result: ExecutionResult): ExecutionResult {
    if (this.begun) return result;
    this.begun = true;
    return withOmittedFields(result, this.options.context.reply);
  }

  /** The next result, or the reason of an abort: not every source looks at the request. */
  private pull(): Promise<IteratorResult<ExecutionResult>> {
    const { signal } = this.options.context;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.stop = reject;
      this.source.next().then(resolve, reject);
    });
  }

  private readonly abort = (): void => this.stop?.(this.options.context.signal.reason);

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.options.context.signal.removeEventListener('abort', this.abort);
    this.options.close();
  }
}

function errorResult(error: unknown, log: Logger): ExecutionResult {
  const { message, extensions } = formatGraphqlError(error, log);
  return { errors: [new GraphQLError(message, { extensions })] };
}
