import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { BadRequest, UnsupportedMediaType } from '../errors.js';
import { Upload } from '../graph/upload.js';
import type { ReceivedParts, StoredFile } from '../graph/upload.js';
import type { IncomingFile } from '../platform/blobs/incoming-file.js';
import { watchArrival } from './arrival-watch.js';
import type { FileParts } from './endpoint.js';
import { PartNames } from './part-names.js';
import { requireIdentity } from './upload-options.js';
import type { UploadOptions } from './upload-options.js';
import { toFileName } from '../platform/text/file-name.js';

const FILE_PART = 'file';
/** The names of parts that may come several times end with it. */
const LIST = '[]';
/** Stands for parts of any name. */
const ANY = '*';
const FIELD_BYTES = 64 * 1024;
/** Names, boundaries and the like of all parts. */
const LIMITS = { fieldNameSize: 100, headerPairs: 20, headerSize: 16 * 1024, fieldSize: FIELD_BYTES + 1 };
/** Bytes that are in no file: boundaries, heads and texts, and what the parser has not read yet. */
const MOST_BESIDE_FILES = 1024 * 1024;

/** The files of a body of the type multipart/form-data (RFC 7578), read as fast as they are stored. */
export class MultipartUpload extends Upload {
  /** @throws UnsupportedMediaType where the body is of another type */
  constructor(
    private readonly request: IncomingMessage,
    private readonly options: UploadOptions,
  ) {
    super();
    requireMultipart(request);
  }

  async receive<File extends StoredFile>(store: (file: IncomingFile) => Promise<File>): Promise<ReceivedParts<File>> {
    const reading = new MultipartReading(this.request, this.options, store);
    const parts = await reading.read();
    await this.options.onReceived(reading.content);
    return parts;
  }
}

/** One body, while it is read. */
class MultipartReading<File extends StoredFile> {
  /** What came, in its order, without the bytes. */
  readonly content: unknown[] = [];
  private readonly files: File[] = [];
  private readonly fields = new Map<string, string>();
  private readonly parser: BusboyInstance;
  private readonly names: PartNames;
  /** The files that have come, and are not read to their ends. */
  private readonly open = new Set<BusboyFileStream>();
  private count = 0;
  /** The files that have come are stored one after another. */
  private storing: Promise<void> = Promise.resolve();
  private failed: { readonly error: unknown } | undefined;
  private storedBytes = 0;
  private receivedBytes = 0;
  /** Of those that have come. */
  private readonly streams: BusboyFileStream[] = [];

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: UploadOptions,
    private readonly store: (file: IncomingFile) => Promise<File>,
  ) {
    this.parser = openParser(request, options.parts);
    this.names = new PartNames(this.parser);
  }

  /** @throws as `Upload.receive` does */
  async read(): Promise<ReceivedParts<File>> {
    const { request, parser, options } = this;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error: unknown): void => {
      this.failed ??= { error };
      reject(error);
    };
    const stopWatching = watchArrival(request, { signal: options.signal, received: () => this.receivedBytes, fail });
    const onData = (bytes: Buffer): void => {
      this.receivedBytes += bytes.length;
      if (this.receivedBytes - this.fileBytes() > MOST_BESIDE_FILES) {
        fail(new BadRequest('The body has too much beside its files.'));
      }
    };
    parser.on('file', (name, stream, filename) => this.onFile(name, stream, filename, fail));
    parser.on('field', (name, value, isNameCut, isValueCut) =>
      this.onField(name, value, isNameCut || isValueCut, fail),
    );
    parser.once('finish', resolve);
    parser.on('partsLimit', () => fail(new BadRequest('The body has too many parts.')));
    parser.on('error', () => fail(new BadRequest('The body is no whole multipart/form-data.')));
    request.on('data', onData);
    try {
      options.signal.throwIfAborted();
      request.pipe(parser);
      await promise;
      await this.storing;
      if (this.failed) throw this.failed.error;
      if (this.files.length === 0) throw new BadRequest(`A part named ${FILE_PART} is required.`, FILE_PART);
      return { files: this.files, fields: this.fields };
    } catch (error) {
      request.unpipe(parser);
      parser.destroy();
      for (const stream of this.open) stream.destroy(error as Error);
      // What was begun ends before anybody deletes what it has stored.
      await this.storing;
      throw error;
    } finally {
      stopWatching();
      request.off('data', onData);
    }
  }

  private onFile(
    name: string,
    stream: BusboyFileStream,
    filename: string | undefined,
    fail: (error: unknown) => void,
  ): void {
    this.open.add(stream);
    this.streams.push(stream);
    // Whoever reads it is told; the parser's own error tells the client.
    stream.on('error', () => undefined).once('close', () => this.open.delete(stream));
    this.count += 1;
    if (name !== FILE_PART)
      fail(new BadRequest(`There is no part ${name.slice(0, 100)}; files are parts named ${FILE_PART}.`, FILE_PART));
    else if (this.count > this.options.parts.most)
      fail(new BadRequest(`A request has at most ${this.options.parts.most} files.`, FILE_PART));
    if (this.failed) return void stream.resume();
    const told = toFileName(this.names.nameOf(filename), '');
    this.storing = this.storing
      .then(() => this.storeFile(stream, told))
      .catch((error: unknown) => {
        stream.resume();
        fail(error);
      });
  }

  private fileBytes(): number {
    return this.streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  }

  private async storeFile(stream: BusboyFileStream, filename: string): Promise<void> {
    if (this.failed) return;
    const length = this.request.headers['content-length'];
    const mostBytes = length === undefined ? undefined : Math.max(0, Number(length) - this.storedBytes);
    const file = await this.store({ filename, bytes: stream, mostBytes });
    this.storedBytes += stream.bytesRead;
    this.files.push(file);
    this.content.push([FILE_PART, filename, file.sha256]);
  }

  private onField(name: string, value: string, isCut: boolean, fail: (error: unknown) => void): void {
    const earlier = this.fields.get(name);
    if (!isField(this.options.parts, name))
      fail(new BadRequest(`There is no part ${name.slice(0, 100)}.`, name.slice(0, 100)));
    else if (earlier !== undefined && !name.endsWith(LIST))
      fail(new BadRequest(`${name} may be given once only.`, name));
    else if (isCut || Buffer.byteLength(value) > FIELD_BYTES)
      fail(new BadRequest(`${name} may have at most ${FIELD_BYTES} bytes.`, name));
    this.fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
    this.content.push([name, value]);
  }
}

function isField({ fields }: FileParts, name: string): boolean {
  return fields.includes(name) || fields.includes(ANY);
}

/** Whether a body is of the type that files are sent as. */
export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function requireMultipart(request: IncomingMessage): void {
  const { headers } = request;
  if (!isMultipart(request)) throw new UnsupportedMediaType('Send the files as multipart/form-data.');
  requireIdentity(headers);
}

function openParser({ headers }: IncomingMessage, { most }: FileParts): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      isPartAFile: (name, _type, filename) => filename !== undefined || name === FILE_PART,
      preservePath: true,
      limits: { ...LIMITS, parts: most + 20 },
    });
  } catch {
    throw new BadRequest('The content type multipart/form-data needs a boundary.');
  }
}
