import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Caller, Door } from '../context.js';

/** What one line of the access log tells of a request. No query, no body, no token. */
export class AccessRecord {
  /** The route's template, such as `/v1/models/{id}`; the path itself where nothing matched is not told. */
  route = '-';
  door: Door | 'http' = 'http';
  caller?: Caller;
  private readonly startedAt = performance.now();

  constructor(
    private readonly log: Logger,
    readonly requestId: string,
    private readonly method: string,
  ) {}

  /** Writes the line when the response is closed; 499 means that the client went away. */
  writeWhenClosed(response: ServerResponse): void {
    response.once('close', () => {
      this.log.info({
        msg: 'request',
        request_id: this.requestId,
        method: this.method,
        route: this.route,
        door: this.door,
        status: response.writableFinished ? response.statusCode : 499,
        duration_ms: Math.round((performance.now() - this.startedAt) * 10) / 10,
        tenant: this.caller?.tenantId,
        user: this.caller?.userId,
      });
    });
  }
}
