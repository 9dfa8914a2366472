import { Buffer } from 'node:buffer';
import type { Caller } from '../../access/caller.js';
import type { Blob } from '../../graph/blob.types.js';
import type { PlaceSeeker } from '../../platform/async/caller-places.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobReader, ReadableBlob } from '../../platform/blobs/readable-blob.js';
import type { Database } from '../../platform/database/database.js';
import type { Scratch } from '../../platform/scratch/scratch.js';
import { toCsv } from '../export/csv-export.js';
import type { ResultExport } from '../export/export.types.js';
import { toJson } from '../export/json-export.js';
import type { WorkbookWriter } from '../export/workbook/workbook-writer.js';
import { sendXlsx } from '../export/xlsx-export.js';
import { parseSchema } from '../schema/schema-parser.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import { findVisible } from '../sessions/session-access.js';
import type { SessionReaders } from '../sessions/session-readers.js';
import { exportedDocuments } from './exported-documents.js';
import { ResultFormat } from './results.types.js';

/** What the addresses of results lead to. */
const RESULTS_BLOB = 'document_results';

const MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

interface ResultsParts {
  readonly database: Pick<Database, 'dataSource' | 'longReads'>;
  readonly links: BlobLinks;
  readonly workbooks: WorkbookWriter;
  readonly scratch: Pick<Scratch, 'folderFor'>;
  readonly readers: SessionReaders;
}

/** What was read of the documents of a session, and what people have made of it. */
export class ResultsService {
  constructor(private readonly parts: ResultsParts) {}

  /** Where the results are fetched; they are made while they are sent. @throws NotFound for the session */
  async address(caller: Caller, sessionId: string, format: ResultFormat): Promise<Blob> {
    const { database, links, readers } = this.parts;
    const session = await findVisible(database.dataSource.manager, caller, sessionId);
    const { tenantId, userId } = caller;
    const kind = readers.kindFor(caller, RESULTS_BLOB);
    const url = links.urlOf({ kind, key: `${sessionId}.${format}`, tenantId, userId });
    return { url, mediaType: MEDIA_TYPES[format], sizeBytes: null, sha256: null, filename: toName(session, format) };
  }

  /** What the addresses of results lead to. */
  get blobReaders(): Readonly<Record<string, BlobReader>> {
    return this.parts.readers.of(
      RESULTS_BLOB,
      (key) => key.split('.')[0],
      (session, key, user) => this.toFile(session, key.split('.')[1] ?? '', user),
    );
  }

  private toFile(session: DocumentSession, format: string, reader: PlaceSeeker): ReadableBlob | undefined {
    if (!Object.hasOwn(ResultFormat, format)) return undefined;
    const known = format as ResultFormat;
    return {
      mediaType: MEDIA_TYPES[known],
      filename: toName(session, known),
      open: async ({ signal }) => this.write(session, known, { ...reader, signal }),
    };
  }

  private write(
    session: DocumentSession,
    format: ResultFormat,
    reader: PlaceSeeker & { readonly signal: AbortSignal },
  ): AsyncIterable<Uint8Array> {
    const { database } = this.parts;
    const { signal } = reader;
    // Its head is sent already when most of it is read: it waits, and is not cut off.
    const query = <T>(text: string, values?: unknown[]) =>
      database.longReads.run({ ...reader, isPatient: true }, () => database.dataSource.query<T>(text, values));
    const results: ResultExport = {
      schema: parseSchema(session.schema),
      isComplete: session.completedTime !== null,
      documents: exportedDocuments({ query }, session.id, signal),
    };
    if (format === 'xlsx') return this.workbook(results, reader);
    return encoded(format === 'csv' ? toCsv(results) : toJson(results));
  }

  private async *workbook(
    results: ResultExport,
    reader: PlaceSeeker & { readonly signal: AbortSignal },
  ): AsyncGenerator<Buffer, void, undefined> {
    const { scratch, workbooks } = this.parts;
    const { tenantId, userId, signal } = reader;
    await using folder = await scratch.folderFor(reader);
    yield* sendXlsx(workbooks, results, folder, { signal, turn: { tenantId, userId, kind: 'request' } });
  }
}

function toName({ name }: DocumentSession, format: ResultFormat): string {
  return `${name
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_')
    .slice(0, 100)
    .toWellFormed()}.${format}`;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
