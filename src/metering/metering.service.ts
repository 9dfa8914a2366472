import { Unavailable } from '../errors.js';
import { newId } from '../platform/ids.js';
import type { Caller } from '../context.js';
import type { CallWriter } from './call-writer.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from './metering.types.js';

/** How long the end of an answer waits for its record. */
const SETTLE_MILLISECONDS = 5_000;

/** Records every call of a model, once: begun before the upstream sees it, finished before the client sees its end. */
export class MeteringService {
  constructor(private readonly writer: CallWriter) {}

  /**
   * Opens a call.
   * @throws Unavailable while finished calls cannot be written, so that none is answered without a record
   */
  async begin(caller: Caller, start: CallStart): Promise<OpenCall> {
    if (this.writer.failingMilliseconds > SETTLE_MILLISECONDS) throw unavailable();
    return new StartedCall(caller, start, this.writer);
  }
}

class StartedCall implements OpenCall {
  readonly id = newId('call');
  private readonly createdAt = new Date();
  private settlement: Promise<void> | undefined;

  constructor(
    private readonly caller: Caller,
    private readonly start: CallStart,
    private readonly writer: CallWriter,
  ) {}

  finish(usage: MeteredUsage, outcome: Outcome, backend?: string): Promise<void> {
    this.settlement ??= this.settle(usage, outcome, backend ?? this.start.backend);
    return this.settlement;
  }

  private async settle(usage: MeteredUsage, outcome: Outcome, backend: string): Promise<void> {
    const written = this.writer.write({
      id: this.id,
      tenantId: this.caller.tenantId,
      userId: this.caller.userId,
      tokenId: this.caller.tokenId,
      requestId: this.start.requestId,
      area: this.start.area,
      model: this.start.model,
      backend,
      state: usage.precision,
      outcome,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      createdAt: this.createdAt,
      settledAt: new Date(),
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(unavailable()), SETTLE_MILLISECONDS);
    });
    await Promise.race([written, late]).finally(() => clearTimeout(timer));
  }
}

function unavailable(): Unavailable {
  return new Unavailable('Usage cannot be recorded at the moment. Please try again.', 5);
}
