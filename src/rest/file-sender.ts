import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../admission/reply.js';
import { NotFound } from '../errors.js';
import { BLOB_PATH } from '../platform/blobs/blob-links.js';
import type { BlobLinks } from '../platform/blobs/blob-links.js';
import type { BlobReader } from '../platform/blobs/readable-blob.js';
import { sendBytes } from './send-bytes.js';

interface FileSenderParts {
  readonly links: BlobLinks;
  /** By the kind of file. */
  readonly readers: ReadonlyMap<string, BlobReader>;
  /** Whether a user may still have what it could have. */
  permits(user: { readonly tenantId: string; readonly userId: string }): Promise<boolean>;
}

/** A request for a file, and where it is answered. */
export interface FileRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reply: Reply;
  readonly signal: AbortSignal;
}

/** Sends files by their addresses, to whoever has one: the address is the credential, and access is checked once more. */
export class FileSender {
  constructor(private readonly parts: FileSenderParts) {}

  /**
   * Sends the file of an address that `BlobLinks` has made.
   * @throws NotFound for what is none, too old, or not to be had any more; RangeNotSatisfiable; Unavailable
   */
  async send(url: string, { request, response, reply, signal }: FileRequest): Promise<void> {
    const { links, readers, permits } = this.parts;
    const { kind, key, tenantId, userId } = links.open(url.slice(url.lastIndexOf(BLOB_PATH) + BLOB_PATH.length));
    const user = { tenantId, userId };
    const blob = (await permits(user)) && (await readers.get(kind)?.(user, key));
    if (!blob) throw new NotFound('The file does not exist.');
    await sendBytes(request, response, reply, blob, signal);
  }
}
