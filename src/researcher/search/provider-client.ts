import { UpstreamTimeout } from '../../errors.js';
import { findExcess, MAX_JSON_DEPTH } from '../../platform/json/json-depth.js';
import type { JsonLimits } from '../../platform/json/json-depth.js';
import { parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { Origin } from '../../platform/net/egress.js';
import type { OriginRequest, OriginResponse } from '../../platform/net/egress.js';
import { SearchFailure } from './search-failure.js';
import type { SearchFailureReason } from './search-failure.js';

const TIMEOUT_SECONDS = 15;
/** To one provider. */
export const MAX_CONNECTIONS = 32;
const ANSWER = { bytes: 2 * 1024 * 1024, milliseconds: TIMEOUT_SECONDS * 1_000 };
/** Of all answers of one provider that are being read. */
const BUFFERED_BYTES = 32 * 1024 * 1024;
/** A thousand parts for each of a hundred results. */
const ANSWER_JSON: JsonLimits = { depth: MAX_JSON_DEPTH + 1, nodes: 100_000, items: 100_000 };

interface ProviderRequest {
  readonly method: OriginRequest['method'];
  /** Behind the base URL, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly signal: AbortSignal;
}

/** The connections to a search provider, whose address is the operator's: a private one is fine. Redirects are not followed. */
export class ProviderClient {
  private readonly origin: Origin;

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.origin = new Origin({
      baseUrl,
      headers: { accept: 'application/json', ...headers },
      maxConnections: MAX_CONNECTIONS,
      timeoutSeconds: TIMEOUT_SECONDS,
      bufferedBytes: BUFFERED_BYTES,
    });
  }

  /**
   * Asks for a JSON object: of at most 2 MiB and 100,000 parts, which begins within 15 s and ends within 15 more.
   * @throws SearchFailure; the reason of the signal
   */
  async readJson(request: ProviderRequest): Promise<JsonObject> {
    const { signal } = request;
    const response = await this.send(request).catch((error: unknown) => fail(error, signal, 'unreachable'));
    const refusal = refusalOf(response);
    if (refusal) {
      response.body.release();
      throw new SearchFailure(refusal);
    }
    const bytes = await response.body.readAll(ANSWER).catch((error: unknown) => fail(error, signal, 'bad_answer'));
    const answer = findExcess(bytes, ANSWER_JSON) ? undefined : parseJsonObject(bytes);
    if (!answer) throw new SearchFailure('bad_answer');
    return answer;
  }

  close(): Promise<void> {
    return this.origin.close();
  }

  private send({ method, path, body, signal }: ProviderRequest): Promise<OriginResponse> {
    // A GET has no content that could have a type.
    const headers = body === undefined ? { 'content-type': undefined } : undefined;
    return this.origin.request({ method, path, headers, body: body && JSON.stringify(body), signal });
  }
}

/** @throws SearchFailure; the reason of the signal where that has ended the exchange */
function fail(error: unknown, signal: AbortSignal, otherwise: SearchFailureReason): never {
  signal.throwIfAborted();
  throw new SearchFailure(error instanceof UpstreamTimeout ? 'timeout' : otherwise, { cause: error });
}

function refusalOf({ status, headers }: OriginResponse): SearchFailureReason | undefined {
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'server_error';
  if (status !== 200) return 'refused';
  return (headers['content-encoding'] ?? 'identity') === 'identity' ? undefined : 'bad_answer';
}
