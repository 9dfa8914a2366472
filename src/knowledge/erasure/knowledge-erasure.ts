import type { DataSource, EntityManager } from 'typeorm';
import type { Erasure } from '../../domain-module.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { KnowledgeBase } from '../bases/knowledge-base.entity.js';
import { KnowledgeFile } from '../files/knowledge-file.entity.js';
import { KnowledgeIndex } from '../index/knowledge-index.entity.js';
import { deleteSomeChunks } from '../index/deleted-chunks.js';
import { dropUnusedVectorTables } from '../index/vector-tables.js';

/** The kind of jobs that delete what is left of files and bases. */
export const ERASE_JOB = 'knowledge.erase';

const FILES_AT_ONCE = 100;
const HIDE_FILES = 'UPDATE knowledge_files SET deleted_at = coalesce(deleted_at, now()) WHERE base_id = $1';
/** Whoever deletes a file of one of them has locked it, too: what is counted below was not counted by others. */
const LOCK_BASES_OF_USER = `
  SELECT FROM knowledge_bases WHERE id IN (SELECT base_id FROM knowledge_files WHERE owner_id = $1)
  ORDER BY id FOR UPDATE`;
const HIDE_FILES_OF_USER = `
  WITH hidden AS (
    UPDATE knowledge_files SET deleted_at = now() WHERE owner_id = $1 AND deleted_at IS NULL
    RETURNING base_id, size_bytes
  ), gone AS (
    SELECT base_id, count(*)::integer AS files, sum(size_bytes)::bigint AS bytes FROM hidden GROUP BY base_id
  )
  UPDATE knowledge_bases b SET file_count = b.file_count - gone.files, size_bytes = b.size_bytes - gone.bytes
  FROM gone WHERE b.id = gone.base_id`;

interface KnowledgeErasureParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly blobs: Pick<Blobs, 'release'>;
}

/** What is erased: a file, a base with all of its files, or an index that is searched no more. */
type Erased = { readonly fileId: string } | { readonly baseId: string } | { readonly indexId: string };

/** Deletes what is left of files and bases that are gone for everybody, in transactions that hold up nobody. */
export class KnowledgeErasure {
  constructor(private readonly parts: KnowledgeErasureParts) {}

  readonly handler: JobHandler = async ({ payload, signal, transaction }) => {
    const { fileId, baseId, indexId } = payload as { fileId?: string; baseId?: string; indexId?: string };
    const erasure = { signal, transaction };
    if (fileId !== undefined) await this.eraseFile(fileId, erasure);
    if (baseId !== undefined) await this.eraseBase(baseId, erasure);
    if (indexId !== undefined) await this.eraseIndex(indexId, erasure);
  };

  /** Puts a file or a base into the queue. */
  async enqueue(tx: EntityManager, erased: Erased, tenantId: string): Promise<void> {
    // It is nobody's: it is done whoever is deleted meanwhile.
    await this.parts.jobs.enqueue({ kind: ERASE_JOB, payload: { ...erased }, tenantId }, tx);
  }

  /** The bases of a user, and its files in those of others. */
  readonly eraseUser = async ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> => {
    await this.eraseBases({ ownerId: id }, erasure);
    await erasure.transaction(async (tx) => {
      await tx.query(LOCK_BASES_OF_USER, [id]);
      await tx.query(HIDE_FILES_OF_USER, [id]);
    });
    await this.eraseFiles({ ownerId: id }, erasure);
  };

  readonly eraseTenant = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseBases({ tenantId: id }, erasure);

  /** A table that is in use keeps no vector of what is erased: those go with their passages, and the table later. */
  async dropVectors(): Promise<void> {
    await dropUnusedVectorTables(this.parts.dataSource);
  }

  private async eraseBases(where: { ownerId: string } | { tenantId: string }, erasure: Erasure): Promise<void> {
    const bases = await this.parts.dataSource.manager.find(KnowledgeBase, { select: { id: true }, where });
    for (const { id } of bases) {
      await erasure.transaction((tx) => tx.update(KnowledgeBase, { id }, { deletedTime: new Date() }));
      await this.eraseBase(id, erasure);
    }
  }

  private async eraseBase(baseId: string, erasure: Erasure): Promise<void> {
    await erasure.transaction(async (tx) => {
      await tx.query(HIDE_FILES, [baseId]);
      await tx.update(KnowledgeIndex, { baseId }, { state: 'retired' });
    });
    await this.dropVectors();
    await this.eraseFiles({ baseId }, erasure);
    await erasure.transaction((tx) => tx.delete(KnowledgeBase, { id: baseId }));
  }

  private async eraseFiles(where: { baseId: string } | { ownerId: string }, erasure: Erasure): Promise<void> {
    for (;;) {
      const files = await this.parts.dataSource.manager.find(KnowledgeFile, {
        select: { id: true },
        where,
        take: FILES_AT_ONCE,
      });
      for (const { id } of files) await this.eraseFile(id, erasure);
      if (files.length < FILES_AT_ONCE) return;
    }
  }

  private async eraseIndex(id: string, erasure: Erasure): Promise<void> {
    await this.dropVectors();
    await eraseChunks('index', id, erasure);
    await erasure.transaction((tx) => tx.delete(KnowledgeIndex, { id, state: 'retired' }));
  }

  private async eraseFile(id: string, erasure: Erasure): Promise<void> {
    await eraseChunks('file', id, erasure);
    await erasure.transaction(async (tx) => {
      const file = await tx.findOneBy(KnowledgeFile, { id });
      if (!file) return;
      await tx.delete(KnowledgeFile, { id });
      await this.parts.blobs.release(tx, [file.blobKey]);
    });
  }
}

async function eraseChunks(of: 'file' | 'index', id: string, { signal, transaction }: Erasure): Promise<void> {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    isMore = await transaction((tx) => deleteSomeChunks(tx, of, [id]));
  }
}
