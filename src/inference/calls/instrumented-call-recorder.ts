import type { Caller } from '../../access/caller.js';
import type { CallRecorder } from './model-call.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import type { CallSpan, Tracing } from '../../platform/telemetry/tracing.js';
import type { CallMetrics } from './call-metrics.js';

interface InstrumentedCallRecorderParts {
  /** Where the calls are recorded. */
  readonly recorder: CallRecorder;
  readonly metrics: CallMetrics;
  /** Undefined where nobody collects traces. */
  readonly tracing?: Tracing;
}

/** Records calls of models as the recorder does, and tells metrics and traces of them. */
export class InstrumentedCallRecorder implements CallRecorder {
  constructor(private readonly parts: InstrumentedCallRecorderParts) {}

  /** @throws as the recorder does */
  async begin(caller: Caller, start: CallStart): Promise<OpenCall> {
    const { recorder, metrics, tracing } = this.parts;
    const call = await recorder.begin(caller, start);
    return new InstrumentedCall(call, start, metrics, tracing?.start(start, start.timings?.traceparent));
  }
}

class InstrumentedCall implements OpenCall {
  readonly id: string;
  readonly traceparent: string | undefined;
  readonly reservedTokens: number | undefined;
  readonly isLimited: boolean | undefined;
  private readonly begunAt = performance.now();
  private isAnswered = false;
  private isFinished = false;

  constructor(
    private readonly call: OpenCall,
    private readonly start: CallStart,
    private readonly metrics: CallMetrics,
    private readonly span: CallSpan | undefined,
  ) {
    this.id = call.id;
    this.reservedTokens = call.reservedTokens;
    this.isLimited = call.isLimited;
    this.traceparent = span?.traceparent ?? start.timings?.traceparent;
    if (start.timings) start.timings.begun += 1;
  }

  toCharge(estimate: MeteredUsage): MeteredUsage {
    return this.call.toCharge?.(estimate) ?? estimate;
  }

  answered(backend = this.start.backend): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.metrics.countFirstToken(backend, this.start.model, (performance.now() - this.begunAt) / 1_000);
    this.span?.answered();
  }

  finish(usage: MeteredUsage, outcome: Outcome, backend = this.start.backend): Promise<void> {
    if (!this.isFinished) this.observe(usage, outcome, backend);
    return this.call.finish(usage, outcome, backend);
  }

  private observe({ promptTokens, completionTokens }: MeteredUsage, outcome: Outcome, backend: string): void {
    this.isFinished = true;
    const milliseconds = performance.now() - this.begunAt;
    const { area, model, timings } = this.start;
    const seconds = milliseconds / 1_000;
    this.metrics.countCall({ area, backend, model, outcome, promptTokens, completionTokens, seconds });
    const beyond = promptTokens + completionTokens - (this.reservedTokens ?? Number.POSITIVE_INFINITY);
    if (beyond > 0) this.metrics.countExceeded(backend, model, beyond);
    this.span?.end({ outcome, promptTokens, completionTokens });
    if (!timings) return;
    timings.upstreamMilliseconds += milliseconds;
    timings.ended += 1;
  }
}
