import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse as parseDisposition } from 'content-disposition';
import { ClientGone, UnsupportedMediaType } from '../errors.js';
import { unlessAborted } from '../platform/async/unless-aborted.js';
import { Upload } from '../graph/upload.js';
import type { ReceivedParts, StoredFile } from '../graph/upload.js';
import type { IncomingFile } from '../platform/blobs/incoming-file.js';
import { toFileName } from '../platform/text/file-name.js';
import { watchArrival } from './arrival-watch.js';
import { requireIdentity } from './upload-options.js';
import type { UploadOptions } from './upload-options.js';

/** A body that is one file as it stands, or none: read as fast as it is stored. */
export class RawUpload extends Upload {
  /** @throws UnsupportedMediaType where the body is of a type that is none of those that are taken */
  constructor(
    private readonly request: IncomingMessage,
    private readonly options: UploadOptions,
  ) {
    super();
    if (!hasBody(request.headers)) return;
    requireType(request.headers, options.parts.raw);
    requireIdentity(request.headers);
  }

  override get isEmpty(): boolean {
    return !hasBody(this.request.headers);
  }

  async receive<File extends StoredFile>(store: (file: IncomingFile) => Promise<File>): Promise<ReceivedParts<File>> {
    const { headers } = this.request;
    const files = hasBody(headers) ? [await this.take(store)] : [];
    await this.options.onReceived(files.map(({ sha256 }) => sha256));
    return { files, fields: new Map() };
  }

  private async take<File extends StoredFile>(store: (file: IncomingFile) => Promise<File>): Promise<File> {
    const { request, options } = this;
    const { headers } = request;
    const ending = new AbortController();
    let received = 0;
    const stop = watchArrival(request, {
      signal: options.signal,
      received: () => received,
      fail: (error) => ending.abort(error),
    });
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      // Not destroyed where nobody reads on: an answer is still to be sent.
      const chunks = request.iterator({ destroyOnReturn: false });
      try {
        for (;;) {
          const { done, value } = (await unlessAborted(chunks.next(), ending.signal)) as IteratorResult<Buffer>;
          ending.signal.throwIfAborted();
          if (done) return;
          received += value.length;
          yield value;
        }
      } catch (error) {
        // What Node says of a connection that ended is not what was noticed of it.
        ending.signal.throwIfAborted();
        throw request.complete ? error : new ClientGone();
      } finally {
        chunks.return?.().catch(() => undefined);
      }
    };
    try {
      const length = headers['content-length'];
      const mostBytes = length === undefined ? undefined : Number(length);
      return await store({ filename: filenameOf(headers), bytes: bytes(), mostBytes });
    } finally {
      stop();
    }
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function requireType(headers: IncomingHttpHeaders, types: readonly string[]): void {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const given = type.trim();
  const fits = types.some((one) => one === given || (one.endsWith('/*') && given.startsWith(one.slice(0, -1))));
  if (!fits) throw new UnsupportedMediaType(`Send the file as multipart/form-data, or as ${types.join(', ')}.`);
}

/** What the client calls the file; empty where it says nothing that can be read. */
function filenameOf(headers: IncomingHttpHeaders): string {
  try {
    return toFileName(parseDisposition(headers['content-disposition'] ?? '').parameters.filename ?? '', '');
  } catch {
    return '';
  }
}
