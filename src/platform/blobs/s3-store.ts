import type { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { isId } from '../ids.js';
import type { BlobStore, OpenedBytes, S3Address, StoredBytes, WriteLimits } from './blob.types.js';
import { S3Bucket } from './s3-bucket.js';
import { S3Upload } from './s3-upload.js';

/** Limits of S3: a part, but for the last one, has at least so many bytes; an upload at most so many parts. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
const BATCH = 1_000;
const LIST_MS = 10_000;
/** What rows call the store. There is one, wherever it is moved. */
const ID = 's3';

/** Bytes in a bucket: `<prefix>/<root>/<x>/<y>/<key>`, as they lie in a data folder (`FolderStore`). */
export class S3Store implements BlobStore {
  private readonly bucket: S3Bucket;

  /** @param root the name below which the bytes of this database lie */
  constructor(
    private readonly address: S3Address,
    private readonly root: () => Promise<string>,
  ) {
    this.bucket = new S3Bucket(address);
  }

  async id(): Promise<string> {
    return ID;
  }

  async prepare(): Promise<string> {
    return ID;
  }

  async write(key: string, bytes: AsyncIterable<Uint8Array>, { maxBytes, signal }: WriteLimits): Promise<void> {
    const upload = new S3Upload(this.bucket, await this.nameOf(key), signal);
    // The only memory that a write takes, whatever its size.
    const part = Buffer.allocUnsafe(Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS)));
    let filled = 0;
    try {
      for await (let rest of bytes) {
        while (rest.byteLength > 0) {
          if (filled === part.length) {
            await upload.addPart(part);
            filled = 0;
          }
          const piece = rest.subarray(0, part.length - filled);
          part.set(piece, filled);
          filled += piece.byteLength;
          rest = rest.subarray(piece.byteLength);
        }
      }
      await upload.finish(part.subarray(0, filled));
    } catch (error) {
      // Whoever waits is told first; where this fails, `delete` finds it.
      upload.abort().catch(() => undefined);
      throw error;
    }
  }

  async open(key: string, { start, end, sizeBytes }: OpenedBytes, signal: AbortSignal): Promise<Readable | undefined> {
    const request = { Key: await this.nameOf(key), Range: `bytes=${start}-${end - 1}` };
    const answer = await this.bucket.ask(
      (s3, Bucket) => s3.getObject({ Bucket, ...request }, { abortSignal: signal }),
      404,
      // Shorter than it should be.
      416,
    );
    const body = answer?.Body as Readable | undefined;
    if (answer?.ContentRange === `bytes ${start}-${end - 1}/${sizeBytes}`) return body;
    body?.on('error', () => undefined).destroy();
    return undefined;
  }

  async delete(key: string, abortSignal: AbortSignal): Promise<void> {
    const name = await this.nameOf(key);
    await this.bucket.ask((s3, Bucket) => s3.deleteObject({ Bucket, Key: name }, { abortSignal }), 404);
    for (const { UploadId, Key } of await this.uploads(name, abortSignal)) {
      if (Key !== name) continue;
      await this.bucket.ask((s3, Bucket) => s3.abortMultipartUpload({ Bucket, Key, UploadId }, { abortSignal }), 404);
    }
  }

  async *list(): AsyncGenerator<readonly StoredBytes[]> {
    const Prefix = await this.folder();
    yield (await this.uploads(Prefix, AbortSignal.timeout(LIST_MS))).flatMap(({ Key, Initiated }) =>
      toStored(Key, Initiated),
    );
    let StartAfter: string | undefined;
    do {
      const request = { Prefix, StartAfter, MaxKeys: BATCH };
      const options = { abortSignal: AbortSignal.timeout(LIST_MS) };
      const answer = await this.bucket.ask((s3, Bucket) => s3.listObjectsV2({ Bucket, ...request }, options));
      const { Contents = [], IsTruncated } = answer ?? {};
      yield Contents.flatMap(({ Key, LastModified }) => toStored(Key, LastModified));
      StartAfter = IsTruncated ? Contents.at(-1)?.Key : undefined;
    } while (StartAfter !== undefined);
  }

  async check(abortSignal?: AbortSignal): Promise<void> {
    const Prefix = await this.folder();
    await this.bucket.ask((s3, Bucket) => s3.listObjectsV2({ Bucket, Prefix, MaxKeys: 1 }, { abortSignal }));
  }

  close(): void {
    this.bucket.close();
  }

  /** Uploads that nobody has finished; at most 1,000. A store that cannot tell has its own way to forget them. */
  private async uploads(Prefix: string, abortSignal: AbortSignal) {
    const request = { Prefix, MaxUploads: BATCH };
    const ask = (s3: S3, Bucket: string) => s3.listMultipartUploads({ Bucket, ...request }, { abortSignal });
    const answer = await this.bucket.ask(ask, 405, 501);
    return answer?.Uploads ?? [];
  }

  private async folder(): Promise<string> {
    const { prefix } = this.address;
    return `${prefix === '' ? '' : `${prefix}/`}${await this.root()}/`;
  }

  private async nameOf(key: string): Promise<string> {
    return `${await this.folder()}${key.slice(-2, -1)}/${key.slice(-1)}/${key}`;
  }
}

/** What is not ours is left alone. */
function toStored(name: string | undefined, modifiedAt: Date | undefined): StoredBytes[] {
  const key = name?.slice(name.lastIndexOf('/') + 1);
  return key !== undefined && isId('blob', key) && modifiedAt ? [{ key, modifiedAt }] : [];
}
