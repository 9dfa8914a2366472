import type { CompletedPart } from '@aws-sdk/client-s3';
import { BlobStoreError } from './blob-store-error.js';
import type { S3Bucket } from './s3-bucket.js';

/** The way of one object into a bucket: at once where it has one part, otherwise part by part. */
export class S3Upload {
  private readonly parts: CompletedPart[] = [];
  private id: string | undefined;

  constructor(
    private readonly bucket: S3Bucket,
    private readonly Key: string,
    private readonly abortSignal: AbortSignal,
  ) {}

  /** Sends a part that is not the last. */
  async addPart(Body: Uint8Array): Promise<void> {
    const { Key, abortSignal } = this;
    this.id ??= (
      await this.bucket.ask((s3, Bucket) => s3.createMultipartUpload({ Bucket, Key }, { abortSignal }))
    )?.UploadId;
    const [UploadId, PartNumber] = [this.id, this.parts.length + 1];
    const part = { Key, UploadId, PartNumber, Body };
    const answer = await this.bucket.ask((s3, Bucket) => s3.uploadPart({ Bucket, ...part }, { abortSignal }));
    this.parts.push({ PartNumber, ETag: answer?.ETag });
  }

  /** Sends the last part; then the object is there. */
  async finish(last: Uint8Array): Promise<void> {
    const { Key, abortSignal } = this;
    if (this.id === undefined) {
      await this.bucket.ask((s3, Bucket) => s3.putObject({ Bucket, Key, Body: last }, { abortSignal }));
      return;
    }
    await this.addPart(last);
    const whole = { Key, UploadId: this.id, MultipartUpload: { Parts: this.parts } };
    const answer = await this.bucket.ask((s3, Bucket) =>
      s3.completeMultipartUpload({ Bucket, ...whole }, { abortSignal }),
    );
    // A store that fails late says so in an answer that has begun as a success.
    if (answer?.ETag === undefined) throw new BlobStoreError('no ETag');
  }

  /** Forgets the parts that were sent. */
  async abort(): Promise<void> {
    const { Key, id: UploadId } = this;
    if (UploadId !== undefined) {
      await this.bucket.ask((s3, Bucket) => s3.abortMultipartUpload({ Bucket, Key, UploadId }), 404);
    }
  }
}
