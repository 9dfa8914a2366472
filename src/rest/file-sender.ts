import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../admission/reply.js';
import { NotFound } from '../errors.js';
import { BLOB_PATH } from '../platform/blobs/blob-links.js';
import type { BlobLinks } from '../platform/blobs/blob-links.js';
import type { BlobReader } from '../platform/blobs/readable-blob.js';
import { sendBytes } from './send-bytes.js';

/** How often it is asked whether a user may still have the file that is being sent. */
const CHECK_MS = 500;

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
    const find = async () => ((await permits(user)) ? readers.get(kind)?.(user, key) : undefined);
    const blob = await find();
    if (!blob) throw new NotFound('The file does not exist.');
    const access = new WatchedAccess(async () => (await find()) !== undefined, signal);
    try {
      await sendBytes(request, response, reply, blob, access.signal);
    } finally {
      access.close();
    }
  }
}

/** Ends with a request, or as soon as its user may not have the file any more: sending a file may take hours. */
class WatchedAccess {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout;

  constructor(
    private readonly isAllowed: () => Promise<boolean>,
    private readonly parent: AbortSignal,
  ) {
    parent.addEventListener('abort', this.end, { once: true });
    if (parent.aborted) this.end();
    this.timer = setTimeout(this.check, CHECK_MS);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  close(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.end);
    this.ending.abort();
  }

  private readonly end = (): void => this.ending.abort(this.parent.reason);

  private readonly check = async (): Promise<void> => {
    // While the database is away nobody knows better than before.
    const isAllowed = await this.isAllowed().catch(() => true);
    if (!isAllowed) this.ending.abort(new NotFound('The file does not exist any more.'));
    if (!this.signal.aborted) this.timer = setTimeout(this.check, CHECK_MS);
  };
}
