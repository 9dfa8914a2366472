import type { CallOwner } from '../../access/caller.js';
import type { CallStart, MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import { REQUEST_SECONDS } from '../../platform/telemetry/metrics.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { CallSpan, Tracing } from '../../platform/telemetry/tracing.js';
import type { CallRecorder } from './model-call.js';
import { ModelSeriesRegistry } from './model-series.js';
import type { ModelSeries, NamedBackend } from './model-series.js';

/** What is counted of a call of a model. */
export interface CallSample {
  readonly area: string;
  readonly backend: string;
  readonly model: string;
  readonly outcome: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly seconds: number;
}

/** The metrics of calls of models. */
export class CallMetrics {
  private readonly calls;
  private readonly callSeconds;
  private readonly firstSeconds;
  private readonly tokens;
  private readonly exceedingCalls;
  private readonly exceedingTokens;
  private readonly series: ModelSeriesRegistry;
  /** What calls have been counted under. */
  private readonly areas = new Set<string>();
  private readonly outcomes = new Set<string>();

  /** @param backends whose models are named; all others, and those beyond a bound, are `other` */
  constructor(metrics: Metrics, backends: () => readonly NamedBackend[]) {
    this.calls = metrics.counter(
      'platform_upstream_calls_total',
      'Calls of models that have ended.',
      'area',
      'backend',
      'model',
      'outcome',
    );
    this.callSeconds = metrics.histogram(
      'platform_upstream_seconds',
      'From the beginning of a call of a model to the end of its answer.',
      REQUEST_SECONDS,
      'backend',
      'model',
    );
    this.firstSeconds = metrics.histogram(
      'platform_first_token_seconds',
      'From the beginning of a streamed call to the first piece of its answer.',
      REQUEST_SECONDS,
      'backend',
      'model',
    );
    this.tokens = metrics.counter(
      'platform_tokens_total',
      'Tokens of calls that have ended.',
      'backend',
      'model',
      'kind',
    );
    this.exceedingCalls = metrics.counter(
      'platform_reservation_exceeded_total',
      'Calls that used more tokens than they had reserved of the quota, as their model server says.',
      'backend',
      'model',
    );
    this.exceedingTokens = metrics.counter(
      'platform_reservation_exceeded_tokens_total',
      'The tokens that these calls used beyond what they had reserved.',
      'backend',
      'model',
    );
    this.series = new ModelSeriesRegistry(backends, (series) => this.end(series));
    metrics.beforeText(() => this.series.sweep());
  }

  countCall({ area, backend, model, outcome, promptTokens, completionTokens, seconds }: CallSample): void {
    const { labels, timedLabels } = this.series.of(backend, model);
    this.areas.add(area);
    this.outcomes.add(outcome);
    this.calls.inc({ area, ...labels, outcome }, 1);
    this.callSeconds.observe(timedLabels, seconds);
    this.tokens.inc({ ...labels, kind: 'prompt' }, promptTokens);
    this.tokens.inc({ ...labels, kind: 'completion' }, completionTokens);
  }

  /** @param tokens beyond what the call had reserved */
  countExceeded(backend: string, model: string, tokens: number): void {
    const { labels } = this.series.of(backend, model);
    this.exceedingCalls.inc(labels, 1);
    this.exceedingTokens.inc(labels, tokens);
  }

  countFirstToken(backend: string, model: string, seconds: number): void {
    this.firstSeconds.observe(this.series.of(backend, model).timedLabels, seconds);
  }

  private end({ labels, timedLabels }: ModelSeries): void {
    for (const area of this.areas) {
      for (const outcome of this.outcomes) this.calls.remove({ area, ...labels, outcome });
    }
    for (const kind of ['prompt', 'completion']) this.tokens.remove({ ...labels, kind });
    this.exceedingCalls.remove(labels);
    this.exceedingTokens.remove(labels);
    if (timedLabels !== labels) return;
    this.callSeconds.remove(labels);
    this.firstSeconds.remove(labels);
  }
}

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
  async begin(caller: CallOwner, start: CallStart): Promise<OpenCall> {
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
