import { UnsupportedMediaType } from '../../errors.js';
import { DETECTION_BYTES, detectType } from '../extraction/detect-type.js';
import { ExtractionFailed } from '../extraction/extraction-failed.js';
import type { FileKind } from '../extraction/extraction.types.js';
import { toFileName } from '../text/file-name.js';
import type { BlobOwner, StorageLimits, WrittenBlob } from './blob.types.js';
import type { Blobs } from './blobs.js';
import type { IncomingFile } from './incoming-file.js';

/** A file whose bytes are stored. */
export interface TakenFile<Kind extends string = FileKind> extends WrittenBlob {
  readonly filename: string;
  readonly type: TypeOf<Kind>;
}

/** What a file is. */
interface TypeOf<Kind extends string> {
  readonly mediaType: string;
  readonly kind: Kind;
}

/** Which files are taken. */
export interface FileDetection<Kind extends string> {
  /**
   * Tells by its first bytes and its name what a file is; undefined: it is not taken.
   * @throws ExtractionFailed with a sentence for users
   */
  detect(head: Uint8Array, filename: string): Promise<TypeOf<Kind> | undefined>;
  /** What is taken, for errors: a list with commas. */
  readonly kinds: string;
}

/** What text is extracted of. */
const EXTRACTED: FileDetection<FileKind> = {
  detect: detectType,
  kinds: 'PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV, plain text, PNG, JPEG, TIFF, WebP',
};

interface FileIntakeParts<Kind extends string> {
  readonly blobs: Pick<Blobs, 'discard' | 'write'>;
  /** What the blobs are for. */
  readonly kind: string;
  readonly maxBytes: number;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  /** Default: what text is extracted of. */
  readonly detection?: FileDetection<Kind>;
}

/** Stores the files of one request; what is not used is given up together. */
export class FileIntake<Kind extends string = FileKind> {
  private readonly keys: string[] = [];

  constructor(
    private readonly parts: FileIntakeParts<Kind>,
    private readonly owner: BlobOwner,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Stores a file, when its first bytes have told what it is.
   * @throws UnsupportedMediaType for what cannot be read, StorageExceeded, PayloadTooLarge, Unavailable
   */
  readonly take = async ({ filename: told, bytes, mostBytes }: IncomingFile): Promise<TakenFile<Kind>> => {
    const {
      blobs,
      kind,
      maxBytes,
      storageLimits,
      detection = EXTRACTED as unknown as FileDetection<Kind>,
    } = this.parts;
    const filename = toFileName(told);
    const source = bytes[Symbol.asyncIterator]();
    const head = await readHead(source);
    const type = await detect(detection, Buffer.concat(head), filename);
    const { tenantId, userId } = this.owner;
    const owner = { tenantId, userId };
    const request = {
      kind,
      expectedBytes: mostBytes,
      maxBytes,
      limits: await storageLimits(owner),
      signal: this.signal,
    };
    const written = await blobs.write(owner, request, joined(head, source));
    this.keys.push(written.key);
    return { ...written, filename, type };
  };

  /** Deletes what was stored and not kept. It never throws. */
  async discard(): Promise<void> {
    await this.parts.blobs.discard(this.keys);
  }
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const head: Uint8Array[] = [];
  for (let length = 0; length < DETECTION_BYTES;) {
    const { done, value } = await source.next();
    if (done) break;
    head.push(value);
    length += value.byteLength;
  }
  return head;
}

async function* joined(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function detect<Kind extends string>(
  { detect: tell, kinds }: FileDetection<Kind>,
  head: Uint8Array,
  filename: string,
): Promise<TypeOf<Kind>> {
  try {
    const type = await tell(head.subarray(0, DETECTION_BYTES), filename);
    if (type) return type;
  } catch (error) {
    if (error instanceof ExtractionFailed) throw new UnsupportedMediaType(`${filename}: ${error.message}`);
    throw error;
  }
  throw new UnsupportedMediaType(`${filename} is none of ${kinds.replace(/, ([^,]*)$/, ' or $1')}.`);
}
