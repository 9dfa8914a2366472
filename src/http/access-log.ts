import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.js';
import { requestIdOf } from '../access/client.js';
import type { RequestIds } from '../access/client.js';
import type { Transport } from '../context.js';
import type { Metrics } from '../platform/telemetry/metrics.js';
import { wasCut } from '../rest/cut-answers.js';
import { wasRefused } from '../rest/drop-body.js';
import type { RequestTimings } from '../platform/telemetry/request-timings.js';

interface AccessRecordParts {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What one line of the access log and the metrics tell of a request. No query, no body, no token. */
export class AccessRecord {
  /** The route's template, such as `/v1/models/{id}`; the path itself where nothing matched is not told. */
  route = '-';
  transport: Transport | 'http' = 'http';
  caller?: Caller;
  private readonly startedAt = performance.now();
  readonly timings: RequestTimings;

  constructor(
    private readonly parts: AccessRecordParts,
    readonly ids: RequestIds,
    private readonly method: string,
    traceparent: string | undefined,
  ) {
    this.timings = { traceparent, upstreamMilliseconds: 0, begun: 0, ended: 0 };
  }

  /** Writes the line when the response is closed; 499 means that the client went away. */
  writeWhenClosed(response: ServerResponse): void {
    response.once('close', () => {
      const milliseconds = performance.now() - this.startedAt;
      const isCut = wasCut(response);
      const isSent = response.writableFinished || wasRefused(response) || isCut;
      const status = isSent ? response.statusCode : 499;
      const outcome = isCut || status >= 400 ? 'failed' : 'completed';
      this.count(status, milliseconds);
      this.parts.log.info({
        msg: 'request',
        request_id: requestIdOf(this.ids),
        server_request_id: this.ids.serverRequestId,
        method: this.method,
        route: this.route,
        transport: this.transport,
        status,
        outcome: isSent ? outcome : 'cancelled',
        duration_ms: Math.round(milliseconds * 10) / 10,
        tenant: this.caller?.tenantId,
        user: this.caller?.userId,
      });
    });
  }

  private count(status: number, milliseconds: number): void {
    const { transport, method, route, timings } = this;
    const isSettled = timings.begun > 0 && timings.begun === timings.ended && status < 400;
    this.parts.metrics.countRequest({
      transport,
      method,
      route,
      status,
      seconds: milliseconds / 1_000,
      ownSeconds: isSettled ? Math.max(0, milliseconds - timings.upstreamMilliseconds) / 1_000 : undefined,
    });
  }
}
