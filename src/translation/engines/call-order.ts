import { PlatformError } from '../../errors.js';
import type { CallContext } from '../../inference/domain.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';

/**
 * The order in which one translation makes its calls. The first one has the request's limit and its Idempotency-Key: the
 * others begin when it is recorded, so that nothing is charged where the key is not free. A call that a limit refuses is
 * made again when one that is recorded is over, since each of these holds what it may cost at most.
 */
export class CallOrder {
  /** Resolves when the first call is recorded, or will not be: then another one is the first. */
  private first: Promise<boolean> | undefined;
  /** Of the calls that are recorded and not over; each resolves when it is. */
  private readonly recorded = new Set<Promise<void>>();

  /** @param context of the request */
  constructor(private readonly context: CallContext) {}

  /** Makes a call. @throws what it throws; the reason of the signal */
  async run<Result>(call: (context: CallContext) => Promise<Result>): Promise<Result> {
    const { admission, ...context } = this.context;
    while (this.first) {
      if (await unlessAborted(this.first, context.signal)) return this.make(call, context);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let isRecorded = false;
    const told = (): void => {
      isRecorded = true;
      resolve(true);
    };
    this.first = promise;
    try {
      return await this.make(call, { ...context, ...(admission && { admission }) }, told);
    } finally {
      if (!isRecorded) {
        this.first = undefined;
        // Where that ends the translation no other call begins.
        setImmediate(resolve, false);
      }
    }
  }

  private async make<Result>(
    call: (context: CallContext) => Promise<Result>,
    context: CallContext,
    told: () => void = () => undefined,
  ): Promise<Result> {
    for (;;) {
      const over = Promise.withResolvers<void>();
      const begun = (): void => {
        this.recorded.add(over.promise);
        told();
      };
      const made = call({ ...context, begun }).finally(() => {
        this.recorded.delete(over.promise);
        over.resolve();
      });
      try {
        return await made;
      } catch (error) {
        // Without calls that hold something there is nothing to wait for.
        if (!isLimit(error) || this.recorded.size === 0) throw error;
        await unlessAborted(Promise.race(this.recorded), context.signal);
      }
    }
  }
}

/** Of a quota or a rate, whoever has it. */
function isLimit(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 429;
}
