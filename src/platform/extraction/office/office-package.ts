import { posix } from 'node:path';
import { ExtractionFailed } from '../extraction-failed.js';
import type { FileInput } from '../file-input.js';
import { readXml } from './xml-reader.js';
import type { XmlHandler } from './xml-reader.js';
import { ZipArchive } from './zip-archive.js';
import type { ArchiveEntry } from './zip-archive.js';

const PREFIX = 'application/vnd.openxmlformats-officedocument.';

const MAIN_PARTS = {
  docx: `${PREFIX}wordprocessingml.document.main+xml`,
  xlsx: `${PREFIX}spreadsheetml.sheet.main+xml`,
  pptx: `${PREFIX}presentationml.presentation.main+xml`,
} as const;

/** Of one part to another. */
interface Relationship {
  /** The last word of its type's name: `slide`, `worksheet` … */
  readonly type: string;
  /** The other part's name. */
  readonly target: string;
}

/** An office file: a zip file of XML parts. What it is told by its content types, not by names. */
export class OfficePackage {
  /** The name of the part with the document, workbook or presentation. */
  readonly main: string;
  private readonly zip: ZipArchive;

  private constructor(zip: ZipArchive, main: string) {
    this.zip = zip;
    this.main = main;
  }

  /** @throws ExtractionFailed malformed, bomb, encrypted, or unsupported where it is another kind or has macros */
  static async open(file: FileInput | Buffer, kind: keyof typeof MAIN_PARTS): Promise<OfficePackage> {
    const bytes = Buffer.isBuffer(file) ? file : await file.whole();
    // An office file with a password lies in an OLE file.
    if (bytes.length >= 4 && bytes.readUInt32BE() === 0xd0cf11e0) throw new ExtractionFailed('encrypted');
    const zip = await ZipArchive.open(bytes);
    const types = new Map<string, string>();
    let hasMacros = false;
    await readXml(zip.read('[Content_Types].xml'), {
      open: (name, { PartName = '', ContentType = '' }) => {
        // Of a part, or of all with an ending.
        hasMacros ||= /macroEnabled|vbaProject/i.test(ContentType);
        if (name === 'Override') types.set(ContentType, PartName.replace(/^\//, ''));
      },
    });
    const main = types.get(MAIN_PARTS[kind]);
    if (main === undefined) throw new ExtractionFailed(types.size === 0 ? 'malformed' : 'unsupported');
    if (hasMacros) throw new ExtractionFailed('unsupported');
    return new OfficePackage(zip, main);
  }

  /** Reads a part; one that is missing has nothing in it. @throws ExtractionFailed malformed or bomb */
  read(part: string, handler: XmlHandler): Promise<void> {
    return readXml(this.zip.read(part), handler);
  }

  /** All entries of the zip file, those that are no parts, too. */
  get entries(): readonly ArchiveEntry[] {
    return this.zip.list;
  }

  /** The bytes of an entry; none where there is no such entry. @throws ExtractionFailed malformed or bomb */
  bytes(entry: string): AsyncIterable<Uint8Array> {
    return this.zip.read(entry);
  }

  /** Whether there is such a part. */
  has(part: string): boolean {
    return this.zip.has(part);
  }

  /** What a part leads to within the file, by id. */
  async relationships(part: string): Promise<ReadonlyMap<string, Relationship>> {
    const folder = posix.dirname(part);
    const relationships = new Map<string, Relationship>();
    await this.read(`${folder}/_rels/${posix.basename(part)}.rels`, {
      open: (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
        if (name !== 'Relationship' || TargetMode === 'External') return;
        const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
        relationships.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
      },
    });
    return relationships;
  }
}
