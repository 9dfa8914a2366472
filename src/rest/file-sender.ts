import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Reply } from '../admission/reply.js';
import { NotFound } from '../errors.js';
import { repeat } from '../platform/async/periodic.js';
import { BLOB_PATH } from '../platform/blobs/blob-links.js';
import type { BlobLinks } from '../platform/blobs/blob-links.js';
import type { BlobReader } from '../platform/blobs/readable-blob.js';
import { sendBytes } from './send-bytes.js';
import type { OperationAdmission } from '../admission/operation-admission.js';

/** How often it is asked whether a user may still have the file that is being sent. */
const CHECK_MS = 500;

interface FileSenderParts {
  readonly links: BlobLinks;
  /** By the kind of file. */
  readonly readers: ReadonlyMap<string, BlobReader>;
  /** Whether a user may still have what it could have. */
  permits(user: { readonly tenantId: string; readonly userId: string }): Promise<boolean>;
  readonly log: Logger;
}

/** A request for a file, and where it is answered. */
export interface FileRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reply: Reply;
  readonly signal: AbortSignal;
  readonly admission: Pick<OperationAdmission, 'complete' | 'openStream' | 'record'>;
}

/** Sends files by their addresses, to whoever has one: the address is the credential, and access is checked once more. */
export class FileSender {
  constructor(private readonly parts: FileSenderParts) {}

  /**
   * Sends the file of an address that `BlobLinks` has made. One that is made while it is sent takes the place of a stream
   * of its user, whoever fetches it.
   * @throws NotFound for what is none, too old, or not to be had any more; RangeNotSatisfiable; RateLimited; Unavailable
   */
  async send(url: string, { request, response, reply, signal, admission }: FileRequest): Promise<void> {
    const { links, readers, permits, log } = this.parts;
    const { kind, key, tenantId, userId } = links.open(url.slice(url.lastIndexOf(BLOB_PATH) + BLOB_PATH.length));
    const user = { tenantId, userId };
    const find = async () => ((await permits(user)) ? readers.get(kind)?.(user, key) : undefined);
    const blob = await find();
    if (!blob) throw new NotFound('The file does not exist.');
    const close = blob.sizeBytes === undefined ? await admission.openStream(user) : undefined;
    const ending = new AbortController();
    // While the database is away nobody knows better than before.
    const check = repeat('asking whether a file may still be sent', CHECK_MS, log, async () => {
      if (!(await find())) ending.abort(new NotFound('The file does not exist any more.'));
    });
    try {
      await sendBytes(request, response, reply, blob, AbortSignal.any([signal, ending.signal]), admission);
    } finally {
      void check.stop();
      ending.abort();
      close?.();
    }
  }
}
