import type { Readable } from 'node:stream';
import type { ByokKey } from '../../../access/caller.js';
import { BadUpstream, Unavailable, UpstreamTimeout } from '../../../errors.js';
import type { JsonLimits } from '../../../platform/json/json-depth.js';
import { parseJsonObject } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import type { ByteSource, Ending, Origin, OriginRequest, OriginResponse } from '../../../platform/net/egress.js';
import type { ReadLimits } from '../../../platform/net/exchange.js';
import { excessOf } from '../../streaming/json-limits.js';
import type { AnswerOptions, Operation } from '../backend.js';
import type { ServerHealth } from '../health/server-health.js';
import { retryable } from '../routing/attempt-failure.js';
import type { ConcurrencyGate } from './concurrency-gate.js';
import type { FailedAttempts } from './failed-attempts.js';
import type { KeyScrubber } from './key-scrubber.js';

/** What is sent to a model server. */
export interface ServerMessage {
  /** Behind the base URL. */
  readonly path: string;
  /** A JSON text, or a body in a form that `headers` name. */
  readonly body: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the caller's key is in the body already, and belongs in no header. */
  readonly hasKey?: boolean;
}

/** How much of a whole answer is read, and how. */
interface ObjectLimits {
  readonly read: ReadLimits;
  readonly json: JsonLimits;
  /** Default: as JSON is. */
  readonly parse?: (bytes: Buffer) => JsonObject | undefined;
}

interface ServerCallsParts {
  readonly origin: Origin;
  readonly gate: ConcurrencyGate;
  readonly health: ServerHealth;
  readonly failures: FailedAttempts;
  /** What the server may not tell of what it was sent. */
  readonly secrets: KeyScrubber;
}

/** Sends requests to one model server in its turn, and tells its health how they went. */
export class ServerCalls {
  constructor(private readonly parts: ServerCallsParts) {}

  /**
   * Sends a message, and answers a response whose status is 200 and whose bytes are readable.
   * @param form `stream`: the answer counts as one when it ends; a whole one has to be read before it is known to be one
   * @throws PlatformError, marked where another backend may be asked, or the reason of the signal
   */
  async post(
    operation: Operation,
    { path, body, headers, hasKey = false }: ServerMessage,
    options: AnswerOptions,
    form: 'whole' | 'stream',
  ): Promise<OriginResponse> {
    const { callerId, signal } = options;
    const { gate, health, failures } = this.parts;
    await this.enter(callerId, signal);
    const ended = (ending: Ending, status: number | undefined): void => {
      gate.leave();
      if (status !== 200) return;
      if (ending === 'whole' && form === 'stream') health.succeeded(operation);
      if (ending === 'broken')
        health.failedFor(operation, callerId, 'a broken answer', { hadBegun: form === 'stream' });
    };
    const request = {
      method: 'POST',
      path,
      body,
      headers: headersOf(hasKey ? { ...options, key: undefined } : options, headers),
      signal,
      sent: options.sent,
      ended,
    } as const;
    const response = await this.send(operation, callerId, request);
    if (response.status !== 200) throw await failures.refused(operation, response, options);
    if ((response.headers['content-encoding'] ?? 'identity') === 'identity') return response;
    response.body.cancel();
    const message = 'The answer of the model server has an encoding that was not asked for.';
    throw failures.failed(operation, callerId, new BadUpstream(message));
  }

  /**
   * Reads a whole answer.
   * @throws BadUpstream where it is no JSON object within the limits, UpstreamTimeout, or the reason of the signal
   */
  async readObject(
    operation: Operation,
    { body }: OriginResponse,
    { key, callerId }: Pick<AnswerOptions, 'key' | 'callerId'>,
    { read, json, parse = parseJsonObject }: ObjectLimits,
  ): Promise<JsonObject> {
    const { health } = this.parts;
    const bytes = this.parts.secrets.with(key?.apiKey).scrub(await body.readAll(read));
    const answer = excessOf(bytes, json) ?? parse(bytes);
    if (!answer) {
      const error = new BadUpstream('The answer of the model server is not a JSON object.');
      health.failedFor(operation, callerId, error);
      throw error;
    }
    health.answered(operation, callerId);
    health.succeeded(operation);
    // What a server repeats of a request may be nested or large: it is not at fault for more than this answer.
    if (answer instanceof BadUpstream) throw answer;
    return answer;
  }

  /** An answer that is streamed, without the secrets that it was asked with. */
  scrubbed({ body }: OriginResponse, { key }: Pick<AnswerOptions, 'key'>): ByteSource {
    return this.parts.secrets.with(key?.apiKey).source(body);
  }

  private async enter(callerId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.parts.gate.enter(callerId, signal);
    } catch (error) {
      throw error instanceof Unavailable ? retryable(error, 'refused') : error;
    }
  }

  /** A request whose outcome shows whether the server is there. */
  private async send(operation: Operation, callerId: string, request: OriginRequest): Promise<OriginResponse> {
    const { origin, health, failures } = this.parts;
    try {
      const response = await origin.request(request);
      // It may be a proxy that answers for a server that is gone.
      if (response.status < 500) health.reached();
      return response;
    } catch (error) {
      if (!(error instanceof BadUpstream || error instanceof UpstreamTimeout)) throw error;
      throw failures.failed(operation, callerId, error);
    }
  }
}

/** The media type of an answer as it says itself. */
export function mediaType({ headers }: OriginResponse): string {
  return [headers['content-type']].flat()[0] ?? '';
}

function headersOf(
  { key, traceparent }: Pick<AnswerOptions, 'traceparent'> & { readonly key?: ByokKey | undefined },
  own: ServerMessage['headers'],
): OriginRequest['headers'] | undefined {
  if (!key && traceparent === undefined) return own;
  return { ...own, ...(key && keyHeaders(key)), ...(traceparent !== undefined && { traceparent }) };
}

/** The caller's key in place of the configured one; the organization goes with the key that it belongs to. */
function keyHeaders({ apiKey, organization }: ByokKey): Record<string, string | undefined> {
  return { authorization: `Bearer ${apiKey}`, 'openai-organization': organization };
}
