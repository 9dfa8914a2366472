import { In, IsNull } from 'typeorm';
import type { DataSource, EntityManager, FindOptionsWhere } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Blob } from '../../graph/blob.types.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { Upload } from '../../graph/upload.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobOwner, StorageLimits } from '../../platform/blobs/blob.types.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import { FileIntake } from '../../platform/blobs/file-intake.js';
import type { TakenFile } from '../../platform/blobs/file-intake.js';
import type { ReadableBlob } from '../../platform/blobs/readable-blob.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { isId, newId } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { requireStorable } from '../../platform/json/storable-json.js';
import { findReadable, lockWritable, readableBy, requireWritable } from '../bases/base-access.js';
import type { KnowledgeBase } from '../bases/knowledge-base.entity.js';
import type { KnowledgeErasure } from '../erasure/knowledge-erasure.js';
import type { IngestJobs } from '../ingest/ingest-jobs.js';
import type { FileNotifier } from './file-notifier.js';
import { KnowledgeFile } from './knowledge-file.entity.js';
import type { KnowledgeFileStatus } from './knowledge-file.entity.js';

/** What the blobs of files are for, and their addresses lead to. */
export const FILE_BLOB = 'knowledge_file';

const MAX_FILES = 10_000;

interface KnowledgeFilesParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly blobs: Blobs;
  readonly links: BlobLinks;
  readonly maxUploadBytes: number;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  /** Told whose stored bytes have changed. */
  readonly storageChanged: (userId: string) => void;
  readonly ingest: Pick<IngestJobs, 'enqueue'>;
  readonly erasure: Pick<KnowledgeErasure, 'enqueue'>;
  readonly notifier: FileNotifier;
}

/** The files of knowledge bases. */
export class KnowledgeFilesService {
  constructor(private readonly parts: KnowledgeFilesParts) {}

  /**
   * Stores the files of a request, all or none of them, to be indexed soon.
   * @param replaces whether those of the base that have their names are deleted; else they say that there are others
   * @throws NotFound, Forbidden for the base; BadRequest, UnsupportedMediaType, PayloadTooLarge; Conflict `duplicate` for
   * what is in the base, StorageExceeded; Unavailable
   */
  async add(
    caller: Caller,
    baseId: string,
    upload: Upload,
    { replaces, signal }: { readonly replaces: boolean; readonly signal: AbortSignal },
  ): Promise<KnowledgeFile[]> {
    const { dataSource, blobs, maxUploadBytes: maxBytes, storageLimits } = this.parts;
    // Nothing of a file is read for those who may not send it.
    requireWritable(caller, await findReadable(dataSource.manager, caller, baseId));
    const intake = new FileIntake({ blobs, kind: FILE_BLOB, maxBytes, storageLimits }, caller, signal);
    try {
      const { files, fields } = await upload.receive(intake.take);
      const metadata = parseMetadata(fields.get('metadata'));
      return await this.store(caller, baseId, files, { metadata, replaces });
    } catch (error) {
      await intake.discard();
      throw isUniqueViolation(error) ? new Conflict('duplicate', 'The knowledge base has this file already.') : error;
    }
  }

  /** A page of the files of a base. @throws NotFound for the base */
  async list(
    caller: Caller,
    baseId: string,
    page: PageArgs,
    status?: KnowledgeFileStatus | null,
  ): Promise<Connection<KnowledgeFile>> {
    const { dataSource } = this.parts;
    await findReadable(dataSource.manager, caller, baseId);
    const where: FindOptionsWhere<KnowledgeFile> = { baseId, deletedTime: IsNull(), ...(status && { status }) };
    return readTablePage<KnowledgeFile, KnowledgeFile>(
      page,
      dataSource.getRepository(KnowledgeFile),
      where,
      (row) => row,
    );
  }

  /** @throws NotFound also for those of others */
  async get(caller: Caller, baseId: string, id: string): Promise<KnowledgeFile> {
    const { manager } = this.parts.dataSource;
    await findReadable(manager, caller, baseId);
    return findFile(manager, baseId, id);
  }

  /** Those of the ids that the caller may read, in any order. */
  find(caller: Caller, ids: readonly string[]): Promise<KnowledgeFile[]> {
    const base = readableBy(caller);
    const where = ids.flatMap((id) => base.map((condition) => ({ id, deletedTime: IsNull(), base: condition })));
    return this.parts.dataSource.manager.find(KnowledgeFile, { where });
  }

  /** A file as it is sent; undefined where the user may not have it, or not any more. */
  async read(user: BlobOwner, key: string): Promise<ReadableBlob | undefined> {
    const { dataSource, blobs } = this.parts;
    const where = readableBy(user).map((base) => ({ id: key, deletedTime: IsNull(), base }));
    const file = isId('file', key) && (await dataSource.manager.findOne(KnowledgeFile, { where }));
    if (!file) return undefined;
    const { mimeType: mediaType, filename, sizeBytes, sha256, blobKey } = file;
    return { mediaType, filename, sizeBytes, sha256, open: (range) => blobs.open(blobKey, range) };
  }

  /**
   * The files of a base as they change, each as it is when it is told. It ends with NotFound when the caller may not read
   * the base any more.
   * @throws NotFound for a base that the caller may not read
   */
  async watch(caller: Caller, baseId: string): Promise<AsyncIterableIterator<KnowledgeFile>> {
    const { dataSource, notifier } = this.parts;
    await findReadable(dataSource.manager, caller, baseId);
    return new EventIterator<string, KnowledgeFile>({
      listen: (push) => notifier.listen(baseId, push),
      read: async (id) => {
        const [file] = await this.find(caller, [id]);
        // It was deleted; or the base is not to be read any more, which is told.
        if (!file) await findReadable(dataSource.manager, caller, baseId);
        return file;
      },
    });
  }

  /** The address of a file's bytes. @throws as `get` does */
  async content(caller: Caller, baseId: string, id: string): Promise<Blob> {
    const { mimeType, sizeBytes, sha256, filename } = await this.get(caller, baseId, id);
    const { tenantId, userId } = caller;
    const url = this.parts.links.urlOf({ kind: FILE_BLOB, key: id, tenantId, userId });
    return { url, mediaType: mimeType, sizeBytes, sha256, filename };
  }

  /** Has a file that failed read once more. @throws NotFound, Forbidden; Conflict where it has not failed */
  async retry(caller: Caller, baseId: string, id: string): Promise<KnowledgeFile> {
    return this.change(async (tx) => {
      await lockWritable(tx, caller, baseId);
      const file = await findFile(tx, baseId, id);
      if (file.status !== 'failed') throw new Conflict('conflict', 'Only a file that failed is read once more.');
      await tx.update(KnowledgeFile, { id }, { status: 'queued', error: null, progress: 0 });
      await this.parts.ingest.enqueue(tx, file);
      await this.record(tx, caller, 'knowledge_file.retry', id);
      return findFile(tx, baseId, id);
    });
  }

  /** Deletes a file: it is gone when this has returned, what is left of it soon after. @throws NotFound, Forbidden */
  async delete(caller: Caller, baseId: string, id: string): Promise<void> {
    const { ownerId } = await this.change(async (tx) => {
      await lockWritable(tx, caller, baseId);
      const file = await findFile(tx, baseId, id);
      await this.remove(tx, caller, file);
      return file;
    });
    this.parts.storageChanged(ownerId);
  }

  private async store(
    caller: Caller,
    baseId: string,
    taken: readonly TakenFile[],
    { metadata, replaces }: { readonly metadata: JsonObject; readonly replaces: boolean },
  ): Promise<KnowledgeFile[]> {
    const { dataSource, blobs, ingest, notifier } = this.parts;
    const { files, replaced } = await dataSource.transaction(async (tx) => {
      const base = await lockWritable(tx, caller, baseId);
      const namesakes = await findNamed(tx, baseId, taken);
      const replaced = replaces ? namesakes : [];
      if (base.fileCount - replaced.length + taken.length > MAX_FILES) {
        throw new Conflict('conflict', `A knowledge base has ${MAX_FILES} files at most.`);
      }
      for (const file of replaced) await this.remove(tx, caller, file);
      const rows = toRows(caller, base, taken, metadata);
      if (!replaces) for (const row of rows) row.warnings = namesakeWarnings(row, [...namesakes, ...rows]);
      await tx.insert(KnowledgeFile, rows as never);
      await countFiles(
        tx,
        baseId,
        taken.length,
        taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      );
      const stored = rows.map((row) => tx.create(KnowledgeFile, row));
      for (const file of stored) {
        await ingest.enqueue(tx, file);
        await this.record(tx, caller, 'knowledge_file.add', file.id);
      }
      await blobs.keep(
        tx,
        taken.map(({ key }) => key),
      );
      return { files: stored, replaced };
    });
    [...replaced, ...files].forEach(notifier.changed);
    for (const userId of new Set([caller.userId, ...replaced.map(({ ownerId }) => ownerId)])) {
      this.parts.storageChanged(userId);
    }
    return files;
  }

  private async remove(tx: EntityManager, caller: Caller, file: KnowledgeFile): Promise<void> {
    const { id, baseId, sizeBytes, tenantId, blobKey } = file;
    await tx.update(KnowledgeFile, { id }, { deletedTime: new Date() });
    await countFiles(tx, baseId, -1, -sizeBytes);
    await this.parts.erasure.enqueue(tx, { fileId: id }, tenantId);
    await this.record(tx, caller, 'knowledge_file.delete', id);
    await this.parts.blobs.release(tx, [blobKey]);
  }

  private async change(work: (tx: EntityManager) => Promise<KnowledgeFile>): Promise<KnowledgeFile> {
    const file = await this.parts.dataSource.transaction(work);
    this.parts.notifier.changed(file);
    return file;
  }

  private record(tx: EntityManager, caller: Caller, action: `knowledge_file.${string}`, id: string): Promise<void> {
    const target = { type: 'knowledge_file', id };
    return this.parts.audit.record(tx, actorOf(caller), { tenantId: caller.tenantId, action, target });
  }
}

async function findFile(tx: EntityManager, baseId: string, id: string): Promise<KnowledgeFile> {
  const file = isId('file', id) && (await tx.findOneBy(KnowledgeFile, { id, baseId, deletedTime: IsNull() }));
  if (!file) throw new NotFound('The file does not exist.');
  return file;
}

/** The files of a base that have the names of others, the newest first. */
function findNamed(tx: EntityManager, baseId: string, named: readonly { readonly filename: string }[]) {
  const filename = In(named.map((file) => file.filename));
  return tx.find(KnowledgeFile, { where: { baseId, filename, deletedTime: IsNull() }, order: { id: 'DESC' } });
}

function namesakeWarnings(
  { id, filename }: Pick<KnowledgeFile, 'id' | 'filename'>,
  files: readonly Pick<KnowledgeFile, 'id' | 'filename'>[],
): string[] {
  const other = files.find((file) => file.filename === filename && file.id < id);
  return other ? [`The knowledge base has another file named ${filename} (${other.id}).`] : [];
}

/** Moves the counters of a base, whose row is locked. */
async function countFiles(tx: EntityManager, baseId: string, files: number, bytes: number): Promise<void> {
  await tx.query(
    `UPDATE knowledge_bases SET file_count = file_count + $2, size_bytes = size_bytes + $3::bigint, updated_at = now()
     WHERE id = $1`,
    [baseId, files, bytes],
  );
}

function toRows(caller: Caller, base: KnowledgeBase, taken: readonly TakenFile[], metadata: JsonObject) {
  return taken.map((file) => ({
    id: newId('file'),
    baseId: base.id,
    tenantId: base.tenantId,
    ownerId: caller.userId,
    filename: file.filename,
    mimeType: file.type.mediaType,
    kind: file.type.kind,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    blobKey: file.key,
    status: 'queued' as const,
    error: null,
    warnings: [] as string[],
    pagesFailed: [],
    chunkCount: 0,
    progress: 0,
    language: null,
    metadata,
    createdAt: new Date(),
    deletedTime: null,
  }));
}

/** @throws BadRequest for what is no JSON object that can be stored */
function parseMetadata(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Told below.
  }
  return requireStorable(value, 'metadata');
}
