import type { ServerResponse } from 'node:http';
import { ClientGone } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { RequestContext } from '../context.js';
import type { EventStream } from '../graph/event-stream.js';
import { noteCut } from './cut-answers.js';
import { drained } from './drained.js';
import { isFileStream } from './endpoint.js';
import type { Endpoint, StreamFraming } from './endpoint.js';
import type { ReplayRecorder } from '../admission/replay-recorder.js';

/** How long a stream may be silent before a comment line shows that it lives. */
const KEEP_ALIVE_MS = 15_000;

const EVENTS = 'text/event-stream';
/** What each framing is, as a media type. */
export const STREAM_TYPES: Readonly<Record<StreamFraming, string>> = {
  CHAT: EVENTS,
  CSV: 'text/csv',
  NAMED: EVENTS,
  NDJSON: 'application/x-ndjson',
  REPLAYABLE: EVENTS,
};

/** Headers of a stream. */
export function streamHeaders({ stream = 'CHAT', path }: Pick<Endpoint, 'stream' | 'path'>): Record<string, string> {
  return {
    'content-type': `${STREAM_TYPES[stream]}; charset=utf-8`,
    'x-accel-buffering': 'no',
    ...(isFileStream(stream) && {
      'content-disposition': `attachment; filename="${path.split('/').at(-1)}.${stream.toLowerCase()}"`,
    }),
  };
}

/** Whether a source offers the batch view. */
export function isEventStream(source: object): source is EventStream<unknown> {
  return 'batches' in source && typeof source.batches === 'function';
}

/**
 * Sends a stream, a batch a write. What goes wrong before the first batch is thrown, so that it becomes a JSON error
 * with its status. What goes wrong later becomes one error event, after which nothing follows; the connection of a file
 * is cut off, so that nobody takes it for a whole one.
 *
 * @param endpoint what is asked for; where events have names, the error event has one, too
 * @param mapError turns what was thrown into what a client may see
 * @param recorder takes a copy, where the stream may be asked for again
 */
export async function sendStream(
  response: ServerResponse,
  context: RequestContext,
  stream: EventStream<unknown>,
  endpoint: Pick<Endpoint, 'stream' | 'path'>,
  mapError: (error: unknown) => PlatformError,
  recorder?: ReplayRecorder,
): Promise<void> {
  const batches = stream.batches();
  const { stream: framing = 'CHAT' } = endpoint;
  const isFile = isFileStream(framing);
  try {
    let batch = await batches.next();
    response.writeHead(200, { ...context.reply.headers, ...streamHeaders(endpoint) });
    // It may be a long time before a stream is over of which nothing is wanted.
    if (response.req.method === 'HEAD') return void response.end();
    const keepAlive = isFile ? undefined : setInterval(() => response.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    try {
      while (!batch.done) {
        // Before its end is sent, or lost on the way.
        recorder?.record(batch.value);
        if (stream.isWhole && recorder) await context.admission.complete(() => recorder.response);
        // A client who has left may ask for the rest by its key.
        if (!response.closed && !response.write(batch.value)) await drained(response, context.signal);
        keepAlive?.refresh();
        batch = await batches.next();
      }
      // Some tell in an event of their own that they failed.
      if (!stream.isWhole && !context.signal.aborted) noteCut(response);
    } catch (error) {
      const known = mapError(error);
      if (!(known instanceof ClientGone)) noteCut(response);
      if (isFile) return void response.destroy();
      writeErrorEvent(response, framing, known);
    } finally {
      clearInterval(keepAlive);
    }
    response.end();
  } finally {
    await batches.return?.();
  }
}

function writeErrorEvent(response: ServerResponse, framing: StreamFraming, error: PlatformError): void {
  if (error instanceof ClientGone) return;
  response.write(`${framing === 'CHAT' ? '' : 'event: error\n'}data: ${JSON.stringify(error.toBody())}\n\n`);
}
