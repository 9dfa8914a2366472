import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ModelSeriesBook } from './model-series.js';
import type { ModelSeries, NamedBackend } from './model-series.js';

/** What is counted of a request that has ended. Every label has few values: the route is a template. */
export interface RequestSample {
  readonly transport: string;
  readonly method: string;
  readonly route: string;
  /** A status, or `-` where the transport has none. */
  readonly status: number | '-';
  /** Undefined for an operation of a web socket. */
  readonly seconds?: number;
  /** The server's own part of `seconds`, where the request called a model. */
  readonly ownSeconds?: number;
}

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

/** One value of a gauge that is read when the metrics are asked for. */
export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const OWN_SECONDS = [0.00025, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** The metrics of one server, in Prometheus' text format. The process and its event loop are in them. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter(
    'platform_requests_total',
    'Requests that have ended.',
    'transport',
    'method',
    'route',
    'status',
  );
  private readonly requestSeconds = this.histogram(
    'platform_request_seconds',
    'From the head of a request to the end of its answer.',
    REQUEST_SECONDS,
    'transport',
    'route',
  );
  private readonly ownSeconds = this.histogram(
    'platform_overhead_seconds',
    'The part of a request that called a model which was spent here: before its call began and after the model server had ended.',
    OWN_SECONDS,
  );
  private readonly calls = this.counter(
    'platform_upstream_calls_total',
    'Calls of models that have ended.',
    'area',
    'backend',
    'model',
    'outcome',
  );
  private readonly callSeconds = this.histogram(
    'platform_upstream_seconds',
    'From the beginning of a call of a model to the end of its answer.',
    REQUEST_SECONDS,
    'backend',
    'model',
  );
  private readonly firstSeconds = this.histogram(
    'platform_first_token_seconds',
    'From the beginning of a streamed call to the first piece of its answer.',
    REQUEST_SECONDS,
    'backend',
    'model',
  );
  private readonly tokens = this.counter(
    'platform_tokens_total',
    'Tokens of calls that have ended.',
    'backend',
    'model',
    'kind',
  );
  private backends: () => readonly NamedBackend[] = () => [];
  private readonly series = new ModelSeriesBook(
    () => this.backends(),
    (series) => this.end(series),
  );
  /** What calls have been counted under. */
  private readonly areas = new Set<string>();
  private readonly outcomes = new Set<string>();

  private readonly exceedingCalls = this.counter(
    'platform_reservation_exceeded_total',
    'Calls that used more tokens than they had reserved of the quota, as their model server says.',
    'backend',
    'model',
  );
  private readonly exceedingTokens = this.counter(
    'platform_reservation_exceeded_tokens_total',
    'The tokens that these calls used beyond what they had reserved.',
    'backend',
    'model',
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics as they are now. */
  text(): Promise<string> {
    this.series.sweep();
    return this.registry.metrics();
  }

  /** Names the models of these backends; until then, and beyond a bound, they are `other`. */
  nameModelsOf(backends: () => readonly NamedBackend[]): void {
    this.backends = backends;
  }

  countRequest({ transport, method, route, status, seconds, ownSeconds }: RequestSample): void {
    this.requests.inc({ transport, method, route, status }, 1);
    if (seconds !== undefined) this.requestSeconds.observe({ transport, route }, seconds);
    if (ownSeconds !== undefined) this.ownSeconds.observe(ownSeconds);
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

  /** Adds a gauge whose values are read when the metrics are asked for. */
  addGauge(name: string, help: string, labelNames: readonly string[], read: () => readonly GaugeValue[]): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect() {
        // What is gone is not told any more.
        this.reset();
        for (const { labels, value } of read()) this.set(labels ?? {}, value);
      },
    });
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

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }
}
