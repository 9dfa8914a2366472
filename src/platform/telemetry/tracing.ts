import type { Attributes } from '@opentelemetry/api';

/** What a span tells of a call of a model when it begins; never its prompt. */
interface TracedCall {
  readonly area: string;
  readonly backend: string;
  readonly model: string;
  readonly maxTokens?: number;
}

/** What a span tells of a call of a model when it has ended; never its answer. */
interface TracedEnd {
  readonly outcome: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** The span of one call of a model. */
export interface CallSpan {
  /** What a server is told whose own spans are children of this one. */
  readonly traceparent: string;
  /** Tells that the first piece of the answer has arrived. */
  answered(): void;
  end(end: TracedEnd): void;
}

/** Where spans go. */
export interface Tracing {
  /** @param traceparent of the request: the span becomes a child of what it names, if it is well-formed */
  start(call: TracedCall, traceparent: string | undefined): CallSpan;
  /** Sends what is open, in bounded time, and stops. */
  close(): Promise<void>;
}

/** `gen_ai.operation.name` of the endpoint groups; the others generate content. */
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: 'chat',
  knowledge: 'chat',
  responses: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
};
const TRACEPARENT = /^[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})/;
const EXPORT_MS = 2_000;

/**
 * Starts to send spans of model calls, by OpenTelemetry's conventions for generative AI, to an OTLP endpoint over HTTP.
 * The libraries are loaded only here, so that a server without tracing does not pay for them.
 *
 * @param endpoint the collector's base URL; spans go to `/v1/traces` below it
 */
export async function startTracing(endpoint: string): Promise<Tracing> {
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'private-ai-platform' }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  });
  const tracer = provider.getTracer('private-ai-platform');

  const parentOf = (traceparent: string | undefined) => {
    const { traceId, spanId, flags } = TRACEPARENT.exec(traceparent ?? '')?.groups ?? {};
    if (traceId === undefined || spanId === undefined) return api.ROOT_CONTEXT;
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true };
    return api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
  };
  return {
    start(call, traceparent) {
      const attributes = attributesOf(call);
      const name = `${attributes['gen_ai.operation.name']} ${call.model}`;
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, parentOf(traceparent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        answered: () => void span.addEvent('gen_ai.first_token'),
        end({ outcome, promptTokens, completionTokens }) {
          span.setAttribute('gen_ai.usage.input_tokens', promptTokens);
          span.setAttribute('gen_ai.usage.output_tokens', completionTokens);
          if (outcome !== 'completed') span.setAttribute('error.type', outcome);
          if (outcome === 'failed') span.setStatus({ code: api.SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}

function attributesOf({ area, backend, model, maxTokens }: TracedCall): Attributes {
  return {
    'gen_ai.operation.name': OPERATIONS[area] ?? 'generate_content',
    'gen_ai.provider.name': backend,
    'gen_ai.request.model': model,
    ...(maxTokens !== undefined && { 'gen_ai.request.max_tokens': maxTokens }),
  };
}
