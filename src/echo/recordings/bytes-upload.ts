import { BadRequest } from '../../errors.js';
import { Upload } from '../../graph/upload.js';
import type { ReceivedParts, StoredFile } from '../../graph/upload.js';
import type { IncomingFile } from '../../platform/blobs/incoming-file.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes that came with an operation of the graph. */
export class BytesUpload extends Upload {
  constructor(private readonly content: Uint8Array) {
    super();
  }

  /** @throws BadRequest for what is no base64 (RFC 4648) */
  static fromBase64(base64: string): BytesUpload {
    if (!BASE64.test(base64) || base64.length % 4 !== 0) throw new BadRequest('base64 must be base64.', 'base64');
    return new BytesUpload(Buffer.from(base64, 'base64'));
  }

  get sizeBytes(): number {
    return this.content.byteLength;
  }

  override get isEmpty(): boolean {
    return this.content.byteLength === 0;
  }

  async receive<File extends StoredFile>(store: (file: IncomingFile) => Promise<File>): Promise<ReceivedParts<File>> {
    const { content } = this;
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield content;
    };
    return {
      files: [await store({ filename: '', bytes: bytes(), mostBytes: content.byteLength })],
      fields: new Map(),
    };
  }
}
