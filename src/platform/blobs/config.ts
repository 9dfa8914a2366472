import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { MEBIBYTE, whole } from '../config/variables.js';
import type { S3Address } from './blob.types.js';

const FORM = 's3://ACCESS_KEY:SECRET_KEY@host:port/bucket/prefix?region=eu-central-1&tls=false';
/** Of a bucket (Amazon S3, Bucket naming rules), the oldest of which may be in capitals and have an underscore. */
const BUCKET = /^[\w.-]{3,63}$/;
const REGION = /^[\w-]{1,64}$/;
const DEFAULT_REGION = 'us-east-1';

/** Its messages quote nothing of it: they are printed, and it holds a secret. */
const s3Url = z.string().transform((text, context): S3Address => {
  const address = parseS3Url(text);
  if (address) return address;
  context.addIssue({ code: 'custom', message: `must have the form ${FORM}` });
  return z.NEVER;
});

/** Where the bytes of files lie. */
export const blobsConfig = z
  .object({
    S3_URL: s3Url.optional().describe(
      `An S3-compatible object store for the bytes of files, which several processes need; not set: DATA_DIR/blobs.
${FORM}
Keys with special characters are percent-encoded. prefix, region (${DEFAULT_REGION}) and tls (true) may be left out.`,
    ),
    MAX_UPLOAD_BYTES: whole(1, 1024 * 1024 * MEBIBYTE)
      .default(512 * MEBIBYTE)
      .describe('The largest file that may be sent.'),
  })
  .describe('Files');

/** The settings of the store of files. */
export type BlobsConfig = ConfigOf<typeof blobsConfig>;

function parseS3Url(text: string): S3Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const [bucket = '', ...prefix] = url.pathname.slice(1).replace(/\/$/, '').split('/').map(decoded);
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)];
  const { region = DEFAULT_REGION, tls = 'true', ...others } = Object.fromEntries(url.searchParams);
  const isRight =
    url.protocol === 's3:' &&
    [url.hostname, accessKeyId, secretAccessKey].every(Boolean) &&
    BUCKET.test(bucket) &&
    // A part of a name that is empty, or `..`, is read differently by every store.
    prefix.every((part) => part !== undefined && /^[\w.=-]+$/.test(part) && !/^\.+$/.test(part)) &&
    REGION.test(region) &&
    /^(true|false)$/.test(tls) &&
    url.hash === '' &&
    Object.keys(others).length === 0;
  if (!isRight || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = `${tls === 'true' ? 'https' : 'http'}://${url.host}`;
  return { endpoint, region, bucket, prefix: prefix.join('/'), accessKeyId, secretAccessKey };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
