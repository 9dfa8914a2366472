import { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { systemCode } from '../operational-error.js';
import type { S3Address } from './blob.types.js';
import { BlobStoreError } from './blob-store-error.js';

const CONNECT_MS = 3_000;
/** From the beginning of a request to the head of its answer; a part must have been sent by then. */
const ANSWER_MS = 30_000;
const ATTEMPTS = 2;
/** Each slow reader has one. */
const MAX_SOCKETS = 1_000;

/** A bucket of an S3-compatible store. Every request ends in bounded time. */
export class S3Bucket {
  readonly name: string;
  private readonly client: S3;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Address) {
    this.name = bucket;
    this.client = new S3({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // The bucket in the path: for a name of its own a store needs a certificate, and a name server.
      forcePathStyle: true,
      maxAttempts: ATTEMPTS,
      retryMode: 'standard',
      // Each request is signed with the hash of its body. Other checksums are not understood by all stores.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Waiting for a 100 would cost a round trip for each part, and a connection.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        // A reader may be slow; a store that is silent is noticed by `readBlob`.
        socketTimeout: 0,
        httpAgent: { maxSockets: MAX_SOCKETS },
        httpsAgent: { maxSockets: MAX_SOCKETS },
      },
    });
  }

  /**
   * Asks the store.
   * @param allowed statuses that are an answer, too: undefined
   * @throws BlobStoreError for every other one, and where there is none
   */
  async ask<T>(request: (s3: S3, Bucket: string) => Promise<T>, ...allowed: number[]): Promise<T | undefined> {
    try {
      return await request(this.client, this.name);
    } catch (error) {
      const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
      if (status !== undefined && allowed.includes(status)) return undefined;
      // Its own message may repeat what was signed, and with which key.
      throw new BlobStoreError(systemCode(error) || (error as Error).name, status);
    }
  }

  close(): void {
    this.client.destroy();
  }
}
