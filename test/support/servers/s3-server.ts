import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { findSignatureProblem } from './s3-signature.js';

const BUCKET = 'files';
const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'a/secret+key=', region: 'eu-test-1' } as const;
const MIN_PART_BYTES = 5 * 1024 * 1024;

interface StoredObject {
  readonly bytes: Buffer;
  modifiedAt: Date;
}

interface StoredUpload {
  readonly key: string;
  readonly parts: Map<number, StoredObject & { readonly etag: string }>;
  initiatedAt: Date;
}

/** What a store does in place of what it is asked: an error, silence, or the end of the connection. */
export type S3Fault = 'hang' | 'reset' | { readonly status: number; readonly code: string };

/** An answer of the store. */
interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/**
 * An S3-compatible store on loopback, in memory: one bucket, path style, as strict as Amazon's where clients are often
 * wrong: every signature with the hash of the body, parts of at least 5 MiB, ETags of all parts in order.
 */
export class S3Server {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, StoredUpload>();
  /** Whether bytes are counted and hashed alone, for large ones. */
  forgetsBytes = false;
  /** What goes wrong. @param what is asked, as in `PUT /files/name?partNumber=1` */
  fault: (request: string) => S3Fault | undefined = () => undefined;
  /** What was asked, each with the status that it got. */
  readonly asked: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<S3Server> {
    const server = createServer();
    const store = new S3Server(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  /** The S3_URL of the store. @param secret default: the right one */
  url(secret: string = CREDENTIALS.secretAccessKey, prefix = 'some/prefix'): string {
    const { port } = this.server.address() as AddressInfo;
    const { accessKeyId, region } = CREDENTIALS;
    const user = `${accessKeyId}:${encodeURIComponent(secret)}`;
    return `s3://${user}@127.0.0.1:${port}/${BUCKET}/${prefix}?region=${region}&tls=false`;
  }

  /** Lets all that is there be older. */
  age(hours: number): void {
    const at = new Date(Date.now() - hours * 3_600_000);
    for (const object of this.objects.values()) object.modifiedAt = at;
    for (const upload of this.uploads.values()) upload.initiatedAt = at;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = `${request.method} ${request.url}`;
    const fault = this.fault(asked);
    if (fault === 'reset') return void request.socket.destroy();
    const body = await buffer(request).catch(() => undefined);
    if (fault === 'hang' || !body) return;
    const problem = findSignatureProblem(request, body, CREDENTIALS);
    const reply = fault
      ? failure(fault.status, fault.code)
      : problem !== undefined
        ? failure(403, problem)
        : this.reply(request, body);
    this.asked.push(`${asked} ${reply.status}`);
    response.writeHead(reply.status, { 'content-type': 'application/xml', ...reply.headers });
    response.end(request.method === 'HEAD' ? undefined : reply.body);
  }

  private reply({ method, url: path = '/', headers }: IncomingMessage, body: Buffer): Reply {
    const { pathname, searchParams } = new URL(path, 'http://store');
    const [, bucket, ...rest] = pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    if (bucket !== BUCKET) return failure(404, 'NoSuchBucket');
    const ask = Object.fromEntries(searchParams);
    if (key === '') {
      if (method !== 'GET') return failure(405, 'MethodNotAllowed');
      return 'uploads' in ask ? this.listUploads(ask) : this.list(ask);
    }
    if ('uploads' in ask || 'uploadId' in ask) return this.replyOfUpload(`${method}`, key, ask, body);
    if (method === 'PUT') return this.put(key, body);
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    return this.get(key, headers.range);
  }

  private put(key: string, body: Buffer): Reply {
    this.objects.set(key, { bytes: this.kept(body), modifiedAt: new Date() });
    return { status: 200, headers: { etag: etagOf(body) } };
  }

  private get(key: string, range: string | undefined): Reply {
    const object = this.objects.get(key);
    if (!object) return failure(404, 'NoSuchKey');
    const { bytes } = object;
    const headers = { etag: etagOf(bytes), 'last-modified': object.modifiedAt.toUTCString() };
    if (range === undefined) return { status: 200, headers, body: bytes };
    const [start = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).slice(1).map(Number);
    if (start >= bytes.length) return failure(416, 'InvalidRange');
    const end = Math.min(last + 1, bytes.length);
    const content = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
    return { status: 206, headers: { ...headers, ...content }, body: bytes.subarray(start, end) };
  }

  private replyOfUpload(method: string, key: string, ask: Record<string, string>, body: Buffer): Reply {
    if (method === 'POST' && 'uploads' in ask) {
      const id = randomBytes(8).toString('hex');
      this.uploads.set(id, { key, parts: new Map(), initiatedAt: new Date() });
      return xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`);
    }
    const id = ask.uploadId ?? '';
    const upload = this.uploads.get(id);
    if (upload?.key !== key) return failure(404, 'NoSuchUpload');
    if (method === 'PUT') {
      const part = { bytes: this.kept(body), modifiedAt: new Date(), etag: etagOf(body) };
      upload.parts.set(Number(ask.partNumber), part);
      return { status: 200, headers: { etag: part.etag } };
    }
    if (method === 'POST') return this.complete(id, upload, body.toString());
    this.uploads.delete(id);
    return { status: 204 };
  }

  private complete(id: string, { key, parts }: StoredUpload, body: string): Reply {
    const given = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const isOrdered = given.every(({ number }, index) => index === 0 || number > (given[index - 1]?.number ?? 0));
    if (!isOrdered) return failure(400, 'InvalidPartOrder');
    const found = given.map(({ number, etag }) => (parts.get(number)?.etag === etag ? parts.get(number) : undefined));
    if (found.length === 0 || found.includes(undefined)) return failure(400, 'InvalidPart');
    const whole = found.map((part) => part?.bytes ?? Buffer.alloc(0));
    const isSmall = !this.forgetsBytes && whole.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES);
    if (isSmall) return failure(400, 'EntityTooSmall');
    this.uploads.delete(id);
    const { headers } = this.put(key, Buffer.concat(whole));
    return xml('CompleteMultipartUploadResult', `<ETag>${headers?.etag?.replaceAll('"', '&quot;')}</ETag>`);
  }

  private list(ask: Record<string, string>): Reply {
    const after = ask['start-after'] ?? '';
    const all = [...this.objects.keys()].filter((key) => key.startsWith(ask.prefix ?? '') && key > after).toSorted();
    const page = all.slice(0, Number(ask['max-keys'] ?? 1_000));
    const contents = page.map((key) => {
      const modifiedAt = this.objects.get(key)?.modifiedAt.toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${modifiedAt}</LastModified></Contents>`;
    });
    return xml('ListBucketResult', `<IsTruncated>${page.length < all.length}</IsTruncated>${contents.join('')}`);
  }

  private listUploads({ prefix = '' }: Record<string, string>): Reply {
    const uploads = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const entries = uploads.map(
      ([id, { key, initiatedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiatedAt.toISOString()}</Initiated></Upload>`,
    );
    return xml('ListMultipartUploadsResult', entries.join(''));
  }

  private kept(bytes: Buffer): Buffer {
    return this.forgetsBytes ? Buffer.alloc(0) : bytes;
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function xml(name: string, content: string): Reply {
  return { status: 200, body: `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>` };
}

function failure(status: number, code: string): Reply {
  return { ...xml('Error', `<Code>${code}</Code><Message>No.</Message>`), status };
}
