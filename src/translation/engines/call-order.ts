import type { CallContext } from '../../inference/domain.js';
import { PlatformError } from '../../errors.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';

/**
 * The order in which one translation makes its calls. The first one has the request's limit and its Idempotency-Key: the
 * others begin when it is recorded, so that nothing is charged where the key is not free. A call that limits refuse while
 * others are open is made again when one of these is over, since each holds what it may cost at most.
 */
export class CallOrder {
  private first: PromiseWithResolvers<boolean> | undefined;
  private readonly open = new Set<Promise<void>>();

  /** @param context of the request */
  constructor(private readonly context: CallContext) {}

  /** Makes a call. @throws what it throws; the reason of the signal */
  async run<Result>(call: (context: CallContext) => Promise<Result>): Promise<Result> {
    for (;;) {
      const made = this.inTurn(call);
      const over = made.then(
        () => undefined,
        () => undefined,
      );
      this.open.add(over);
      try {
        return await made;
      } catch (error) {
        const others = [...this.open].filter((other) => other !== over);
        if (!isLimit(error) || others.length === 0) throw error;
        await unlessAborted(Promise.race(others), this.context.signal);
      } finally {
        this.open.delete(over);
      }
    }
  }

  private async inTurn<Result>(call: (context: CallContext) => Promise<Result>): Promise<Result> {
    const { admission, ...context } = this.context;
    while (this.first) {
      if (await unlessAborted(this.first.promise, context.signal)) return call(context);
    }
    const first = (this.first = Promise.withResolvers<boolean>());
    let hasBegun = false;
    const begun = (): void => {
      hasBegun = true;
      first.resolve(true);
    };
    try {
      return await call({ ...context, ...(admission && { admission }), begun });
    } finally {
      // Another one is the first then.
      if (!hasBegun) this.first = undefined;
      first.resolve(hasBegun);
    }
  }
}

/** Of a quota or a rate, whoever has it. */
function isLimit(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 429;
}
