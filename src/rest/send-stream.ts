import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientGone, PlatformError } from '../errors.js';
import type { RequestContext } from '../context.js';
import type { EventStream } from '../graph/event-stream.js';
import type { Endpoint } from './endpoint.js';
import type { ReplayRecorder } from '../admission/replay-recorder.js';

/** How long a stream may be silent before a comment line shows that it lives. */
const KEEP_ALIVE_MS = 15_000;

/** Headers of every stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
} as const;

/** Whether a source offers the batch view. */
export function isEventStream(source: object): source is EventStream<unknown> {
  return 'batches' in source && typeof source.batches === 'function';
}

/**
 * Sends a stream as Server-Sent Events, a batch a write. What goes wrong before the first batch is thrown, so that it
 * becomes a JSON error with its status; what goes wrong later becomes one error event, after which nothing follows.
 *
 * @param framing NAMED: the error event has a name, as all events have
 * @param mapError turns what was thrown into what a client may see
 * @param recorder takes a copy, where the stream may be asked for again
 */
export async function sendStream(
  response: ServerResponse,
  context: RequestContext,
  stream: EventStream<unknown>,
  framing: NonNullable<Endpoint['stream']>,
  mapError: (error: unknown) => PlatformError,
  recorder?: ReplayRecorder,
): Promise<void> {
  const batches = stream.batches();
  try {
    let batch = await batches.next();
    response.writeHead(200, { ...context.reply.headers, ...STREAM_HEADERS });
    const keepAlive = setInterval(() => response.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    try {
      while (!batch.done) {
        // Before its end is sent, or lost on the way.
        recorder?.record(batch.value);
        if (stream.isWhole && recorder) await context.admission.complete(() => recorder.response);
        if (!response.write(batch.value)) await drained(response, context.signal);
        keepAlive.refresh();
        batch = await batches.next();
      }
    } catch (error) {
      writeErrorEvent(response, framing, mapError(error));
    } finally {
      clearInterval(keepAlive);
    }
    response.end();
  } finally {
    await batches.return?.();
  }
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch {
    throw signal.reason instanceof PlatformError ? signal.reason : new ClientGone();
  }
}

function writeErrorEvent(
  response: ServerResponse,
  framing: NonNullable<Endpoint['stream']>,
  error: PlatformError,
): void {
  if (error instanceof ClientGone) return;
  response.write(`${framing === 'NAMED' ? 'event: error\n' : ''}data: ${JSON.stringify(error.toBody())}\n\n`);
}
