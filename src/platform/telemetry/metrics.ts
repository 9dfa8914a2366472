import { collectDefaultMetrics, Counter, Gauge as PromGauge, Histogram, Registry } from 'prom-client';

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

/** One value of a gauge that is read when the metrics are asked for. */
interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A number that is read when the metrics are asked for. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  read(): readonly GaugeValue[];
}

/** Bounds of a histogram of whole requests. */
export const REQUEST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];
const OWN_SECONDS = [0.00025, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/**
 * What is measured of the process and its event loop. There is one for all servers of a process: what observes the
 * garbage collection can never be told to stop, and would keep each server that has ended in memory.
 */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** The metrics of one server, in Prometheus' text format. The process and its event loop are in them. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly ofProcess = processRegistry();
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
  private readonly preparations: (() => void)[] = [];

  /** The media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics as they are now. */
  text(): Promise<string> {
    for (const prepare of this.preparations) prepare();
    return Registry.merge([this.ofProcess, this.registry]).metrics();
  }

  /** Has something done whenever the metrics are asked for, before they are read. */
  beforeText(prepare: () => void): void {
    this.preparations.push(prepare);
  }

  countRequest({ transport, method, route, status, seconds, ownSeconds }: RequestSample): void {
    this.requests.inc({ transport, method, route, status }, 1);
    if (seconds !== undefined) this.requestSeconds.observe({ transport, route }, seconds);
    if (ownSeconds !== undefined) this.ownSeconds.observe(ownSeconds);
  }

  addGauge({ name, help, labels: labelNames, read }: Gauge): void {
    new PromGauge({
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

  counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }
}
