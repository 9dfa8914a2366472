import { IsNull } from 'typeorm';
import type { DataSource, EntityManager, FindOptionsWhere } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Blob } from '../../graph/blob.types.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { Upload } from '../../graph/upload.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobOwner, StorageLimits } from '../../platform/blobs/blob.types.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import { FileIntake } from '../../platform/blobs/file-intake.js';
import type { TakenFile } from '../../platform/blobs/file-intake.js';
import type { BlobReader, ReadableBlob } from '../../platform/blobs/readable-blob.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import { isId, newId } from '../../platform/ids.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import { findVisible, lockVisible, requireOpen } from '../sessions/session-access.js';
import { changeCounters, countPending } from '../sessions/session-counters.js';
import type { SessionReaders } from '../sessions/session-readers.js';
import { Document } from './document.entity.js';
import type { DocumentStatus } from './document.entity.js';
import type { ReadingJobs } from './reading-jobs.js';

/** What the blobs of documents are for, and their addresses lead to. */
export const DOCUMENT_BLOB = 'document';

const MAX_DOCUMENTS = 10_000;

interface DocumentsParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly blobs: Blobs;
  readonly links: BlobLinks;
  readonly maxUploadBytes: number;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  /** Told whose stored bytes have changed. */
  readonly storageChanged: (userId: string) => void;
  /** @throws NotFound `model_not_found`, Conflict where the caller cannot have answers of a model by a schema */
  readonly checkModel: (caller: Caller, model: string) => Promise<void>;
  readonly reading: Pick<ReadingJobs, 'enqueue'>;
  readonly readers: SessionReaders;
  readonly notifier: ChangeNotifier;
}

/** The documents of sessions. */
export class DocumentsService {
  constructor(private readonly parts: DocumentsParts) {}

  /**
   * Stores the documents of a request, all or none of them, to be read soon.
   * @throws NotFound for the session; Conflict where it is completed or full; BadRequest, UnsupportedMediaType,
   * PayloadTooLarge, StorageExceeded, Unavailable
   */
  async add(caller: Caller, sessionId: string, upload: Upload, signal: AbortSignal): Promise<Document[]> {
    // Nothing of a file is read for those who may not send it.
    requireOpen(await findVisible(this.parts.dataSource.manager, caller, sessionId));
    const { blobs, maxUploadBytes: maxBytes, storageLimits } = this.parts;
    const intake = new FileIntake({ blobs, kind: DOCUMENT_BLOB, maxBytes, storageLimits }, caller, signal);
    try {
      const { files } = await upload.receive(intake.take);
      return await this.store(caller, sessionId, files);
    } catch (error) {
      await intake.discard();
      throw error;
    }
  }

  /** A page of the documents of a session. @throws NotFound for the session */
  async list(
    caller: Caller,
    sessionId: string,
    page: PageArgs,
    status?: DocumentStatus | null,
  ): Promise<Connection<Document>> {
    const { dataSource } = this.parts;
    await findVisible(dataSource.manager, caller, sessionId);
    const where: FindOptionsWhere<Document> = { sessionId, deletedTime: IsNull(), ...(status && { status }) };
    return readTablePage<Document, Document>(page, dataSource.getRepository(Document), where, (row) => row);
  }

  /** @throws NotFound also for those of others */
  async get(caller: Caller, sessionId: string, id: string): Promise<Document> {
    const { manager } = this.parts.dataSource;
    await findVisible(manager, caller, sessionId, 'document');
    return findDocument(manager, sessionId, id);
  }

  /** The first documents of sessions that the caller sees, by session. */
  async firstOf(sessionIds: readonly string[], count: number): Promise<ReadonlyMap<string, Document[]>> {
    const { manager } = this.parts.dataSource;
    const found = new Map<string, Document[]>();
    for (const sessionId of sessionIds) {
      const where = { sessionId, deletedTime: IsNull() };
      found.set(sessionId, await manager.find(Document, { where, order: { id: 'asc' }, take: count }));
    }
    return found;
  }

  /** The address of a document's bytes. @throws as `get` does */
  async content(caller: Caller, sessionId: string, id: string): Promise<Blob> {
    const { mimeType, sizeBytes, sha256, filename } = await this.get(caller, sessionId, id);
    const { tenantId, userId } = caller;
    const kind = this.parts.readers.kindFor(caller, DOCUMENT_BLOB);
    const url = this.parts.links.urlOf({ kind, key: id, tenantId, userId });
    return { url, mediaType: mimeType, sizeBytes, sha256, filename };
  }

  /**
   * Has a document read once more, by another model where one is named. What people have said of it stays. One that waits
   * for something that is missing is begun anew.
   * @throws NotFound; Conflict where the session is completed, or the document is being read
   */
  async reprocess(caller: Caller, sessionId: string, id: string, model?: string | null): Promise<Document> {
    const { dataSource, audit, reading, checkModel } = this.parts;
    if (model !== undefined && model !== null) await checkModel(caller, model);
    const document = await dataSource.transaction(async (tx) => {
      const session = await lockVisible(tx, caller, sessionId, 'document');
      requireOpen(session);
      const { status, error } = await findDocument(tx, sessionId, id);
      const isWaiting = status === 'queued' && error !== null;
      if (!isWaiting && (status === 'queued' || status === 'processing')) {
        throw new Conflict('conflict', 'The document is being read already.');
      }
      const pending = status === 'ready' ? await countPending(tx, id) : 0;
      const change = { unfinished: 1, pending: -pending, failed: status === 'failed' ? -1 : 0 };
      if (!isWaiting) await changeCounters(tx, session, change, { actor: actorOf(caller), audit });
      const changes = { status: 'queued' as const, error: null, ...(model !== undefined && { model }) };
      await tx.update(Document, { id }, { ...changes, run: () => 'run + 1' });
      const queued = await findDocument(tx, sessionId, id);
      await reading.enqueue(tx, queued, caller.userId);
      const target = { type: 'document', id };
      await audit.record(tx, actorOf(caller), { tenantId: caller.tenantId, action: 'document.reprocess', target });
      return queued;
    });
    this.parts.notifier.changed(sessionId);
    return document;
  }

  /** What the addresses of documents lead to. */
  get blobReaders(): Readonly<Record<string, BlobReader>> {
    return this.parts.readers.of(
      DOCUMENT_BLOB,
      (id) => this.sessionIdOf(id),
      (session, id) => this.toFile(session, id),
    );
  }

  private async sessionIdOf(id: string): Promise<string | undefined> {
    const { manager } = this.parts.dataSource;
    return isId('doc', id) ? (await manager.findOneBy(Document, { id, deletedTime: IsNull() }))?.sessionId : undefined;
  }

  private async toFile({ id: sessionId }: DocumentSession, id: string): Promise<ReadableBlob | undefined> {
    const { dataSource, blobs } = this.parts;
    const document = await dataSource.manager.findOneBy(Document, { id, sessionId, deletedTime: IsNull() });
    if (!document) return undefined;
    const { mimeType: mediaType, filename, sizeBytes, sha256, blobKey } = document;
    return { mediaType, filename, sizeBytes, sha256, open: (range) => blobs.open(blobKey, range) };
  }

  private async store(caller: Caller, sessionId: string, taken: readonly TakenFile[]): Promise<Document[]> {
    const { dataSource, audit, blobs, reading, notifier } = this.parts;
    const documents = await dataSource.transaction(async (tx) => {
      const session = await lockVisible(tx, caller, sessionId);
      requireOpen(session);
      if (session.documentCount + taken.length > MAX_DOCUMENTS) {
        throw new Conflict('conflict', `A session has ${MAX_DOCUMENTS} documents at most.`);
      }
      const rows = taken.map((file) => toRow(caller, session, file));
      await tx.insert(Document, rows as never);
      const change = { documents: rows.length, unfinished: rows.length };
      await changeCounters(tx, session, change, { actor: actorOf(caller), audit });
      const stored = rows.map((row) => tx.create(Document, row));
      for (const document of stored) {
        await reading.enqueue(tx, document, caller.userId);
        const target = { type: 'document', id: document.id };
        await audit.record(tx, actorOf(caller), { tenantId: caller.tenantId, action: 'document.add', target });
      }
      await blobs.keep(
        tx,
        taken.map(({ key }) => key),
      );
      return stored;
    });
    notifier.changed(sessionId);
    this.parts.storageChanged(caller.userId);
    return documents;
  }
}

/** @throws NotFound */
async function findDocument(tx: EntityManager, sessionId: string, id: string): Promise<Document> {
  const document = isId('doc', id) && (await tx.findOneBy(Document, { id, sessionId, deletedTime: IsNull() }));
  if (!document) throw new NotFound('The document does not exist.');
  return document;
}

function toRow(caller: Caller, session: DocumentSession, file: TakenFile) {
  return {
    id: newId('doc'),
    sessionId: session.id,
    tenantId: session.tenantId,
    ownerId: caller.userId,
    filename: file.filename,
    mimeType: file.type.mediaType,
    kind: file.type.kind,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    blobKey: file.key,
    status: 'queued' as const,
    error: null,
    pages: null,
    warnings: [],
    pagesFailed: [],
    model: session.model,
    run: 1,
    readRun: 0,
    createdTime: new Date(),
    deletedTime: null,
  };
}
