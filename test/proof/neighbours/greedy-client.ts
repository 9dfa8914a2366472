import { request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyJson } from '../../support/probes/any-json.js';

/** How often somebody reads, or sends, who does so slowly. */
const SLOW_MS = 500;
/** How soon a copy that was refused asks again, whatever it was told. */
const AGAIN_MS = 1_000;

/** What is sent. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer is read a piece at a time, slowly, to the end of the work. */
  readonly isReadSlowly?: boolean;
}

/** One user who wants as much as there is. */
export class GreedyClient {
  constructor(
    readonly origin: string,
    readonly token: string,
    /** Ends everything. */
    readonly signal: AbortSignal,
  ) {}

  /** Sends a request, and reads its answer. @returns its status, and its body where that is JSON */
  async send({ method = 'POST', path, body, headers, isReadSlowly = false }: Sent): Promise<AnyJson> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: this.signal,
    });
    const { status } = response;
    if (isReadSlowly && status === 200) await this.readSlowly(response);
    const text = isReadSlowly && status === 200 ? '' : await response.text();
    if (status === 429 || status === 503) await this.pause(AGAIN_MS);
    return { status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }

  /** Announces a body, and sends it a piece at a time, never to its end. @returns the status of the answer, if there is one */
  async sendSlowly(path: string, headers: Readonly<Record<string, string>>, pieces: Iterable<Uint8Array | string>) {
    const { origin, token, signal } = this;
    const options = { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers }, signal };
    const request = httpRequest(origin + path, options);
    const answered = statusOf(request);
    let status: number | undefined;
    void answered.then((known) => (status = known));
    for (const piece of pieces) {
      if (status !== undefined || signal.aborted) break;
      request.write(piece);
      await this.pause(SLOW_MS);
    }
    request.destroy();
    if (status === 429 || status === 503) await this.pause(AGAIN_MS);
    return status ?? 0;
  }

  /** Waits; the end of the work ends it early. */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
  }

  private async readSlowly(response: Response): Promise<void> {
    const reader = response.body?.getReader();
    while (!this.signal.aborted) {
      if ((await reader?.read())?.done !== false) return;
      await this.pause(SLOW_MS);
    }
    await reader?.cancel();
  }
}

async function statusOf(request: ClientRequest): Promise<number> {
  try {
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    return response.statusCode;
  } catch {
    return 0;
  }
}
