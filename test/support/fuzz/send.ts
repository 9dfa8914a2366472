import { request as httpRequest } from 'node:http';
import type { Agent, OutgoingHttpHeaders } from 'node:http';
import type { GivenAnswer } from '../probes/api-description.js';

/** How long any answer may take, where that is proven. */
export const ANSWER_MS = 5_000;
/** A stream that has begun is left after so long. */
const STREAM_MS = 200;

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** No answer, or not the end of one, in time. */
export class TooSlow extends Error {}

/**
 * Sends a request and reads its answer; of a stream, what comes in 200 ms.
 * @param answerMs how long it may take
 * @throws TooSlow, or whatever broke the connection
 */
export function send(
  agent: Agent,
  url: string,
  { body, ...wire }: WireRequest,
  answerMs: number = ANSWER_MS,
): Promise<GivenAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(`${url}/`, { ...wire, agent, headers: { ...wire.headers, ...length } });
    const late = setTimeout(() => request.destroy(new TooSlow(`no answer in ${answerMs} ms`)), answerMs);
    request.on('error', reject);
    request.on('close', () => clearTimeout(late));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const contentType = response.headers['content-type'] ?? null;
      const answer = (): void => {
        clearTimeout(leaving);
        resolve({ status: response.statusCode ?? 0, contentType, text: Buffer.concat(chunks).toString() });
      };
      const leave = (): void => {
        answer();
        request.destroy();
      };
      const leaving = contentType?.startsWith('text/event-stream') ? setTimeout(leave, STREAM_MS) : undefined;
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', answer);
    });
    request.end(body);
  });
}
