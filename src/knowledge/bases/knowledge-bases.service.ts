import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Conflict } from '../../errors.js';
import { behind, readPage } from '../../graph/connection.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { notNull } from '../../graph/not-null.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { countOwned } from '../../platform/database/count-owned.js';
import { isId, newId } from '../../platform/ids.js';
import { checkedName } from '../../platform/text/name.js';
import type { KnowledgeErasure } from '../erasure/knowledge-erasure.js';
import { KnowledgeIndex } from '../index/knowledge-index.entity.js';
import type { ReindexJobs } from '../index/reindex-jobs.js';
import { findReadable, lockWritable, readableBy } from './base-access.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import type { KnowledgeBaseInput, KnowledgeBasePatch } from './knowledge-base.inputs.js';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;
/** Knowledge bases of one owner. */
const MAX_BASES = 1_000;

interface KnowledgeBasesParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  /** The model where a base names none. */
  readonly embeddingModel: string;
  /** @throws NotFound `model_not_found`, Conflict where the caller cannot have vectors of a model */
  readonly checkModel: (caller: Caller, model: string) => Promise<void>;
  readonly erasure: Pick<KnowledgeErasure, 'enqueue'>;
  readonly reindex: Pick<ReindexJobs, 'begin'>;
}

/** Knowledge bases and who may do what with them. */
export class KnowledgeBasesService {
  constructor(private readonly parts: KnowledgeBasesParts) {}

  /** A page of those that the caller may read. */
  list(caller: Caller, page: PageArgs): Promise<Connection<KnowledgeBase>> {
    const rows = this.parts.dataSource.getRepository(KnowledgeBase);
    const readable = readableBy(caller);
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: (take, after, order) => {
        const where = readable.map((condition) => ({ ...condition, ...behind(after, order) }));
        return rows.find({ where, order: { id: order }, take });
      },
      count: async (take) => (await rows.find({ select: { id: true }, where: readable, take })).length,
    });
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<KnowledgeBase> {
    return findReadable(this.parts.dataSource.manager, caller, id);
  }

  /** Those of the ids that a user may read, in any order. */
  find(user: Pick<Caller, 'tenantId' | 'userId'>, ids: readonly string[]): Promise<KnowledgeBase[]> {
    const where = readableBy(user).flatMap((condition) => ids.map((id) => ({ ...condition, id })));
    return this.parts.dataSource.manager.find(KnowledgeBase, { where });
  }

  /** Whether a user may read all of these. */
  async canRead(user: Pick<Caller, 'tenantId' | 'userId'>, ids: readonly string[]): Promise<boolean> {
    if (!ids.every((id) => isId('kb', id))) return false;
    return (await this.find(user, ids)).length === new Set(ids).size;
  }

  /** @throws BadRequest that names the field; NotFound, Conflict for the model; Conflict where the caller has too many */
  async create(caller: Caller, input: KnowledgeBaseInput): Promise<KnowledgeBase> {
    const { dataSource, audit, embeddingModel: fallback } = this.parts;
    const settings = {
      name: checkedName(input.name, MAX_NAME),
      description: checkedDescription(input.description ?? ''),
      isPrivate: input.isPrivate ?? true,
      embeddingModel: input.embeddingModel ?? fallback,
    };
    await this.parts.checkModel(caller, settings.embeddingModel);
    const id = newId('kb');
    const now = new Date();
    await dataSource.transaction(async (tx) => {
      const count = await countOwned(tx, KnowledgeBase, 'ownerId', caller.userId);
      if (count >= MAX_BASES) throw new Conflict('conflict', `A user may have ${MAX_BASES} knowledge bases at most.`);
      await tx.insert(KnowledgeBase, {
        id,
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        ...settings,
        fileCount: 0,
        sizeBytes: 0,
        reindexProgress: null,
        reindexError: null,
        createdTime: now,
        updatedTime: now,
        deletedTime: null,
      });
      const { embeddingModel: model } = settings;
      const state = 'active' as const;
      await tx.insert(KnowledgeIndex, {
        id: newId('kix'),
        baseId: id,
        model,
        dimensions: null,
        isApproximate: false,
        lacksVectors: false,
        state,
        createdAt: now,
      });
      await audit.record(tx, actorOf(caller), eventOf(caller, 'knowledge_base.create', id));
    });
    return this.get(caller, id);
  }

  /**
   * Changes what the patch names. Another embedding model has all files indexed anew; so has the same one where passages
   * lack vectors.
   * @throws BadRequest that names the field; NotFound, also for those of others; Forbidden; as `create` for the model
   */
  async update(caller: Caller, id: string, patch: KnowledgeBasePatch): Promise<KnowledgeBase> {
    const changes = checkedPatch(patch);
    if (changes.embeddingModel !== undefined) await this.parts.checkModel(caller, changes.embeddingModel);
    await this.parts.dataSource.transaction(async (tx) => {
      const base = await lockWritable(tx, caller, id);
      await tx.update(KnowledgeBase, { id }, { ...changes, updatedTime: new Date() });
      const { embeddingModel: model } = changes;
      if (model !== undefined) await this.parts.reindex.begin(tx, base, model);
      await this.parts.audit.record(tx, actorOf(caller), eventOf(caller, 'knowledge_base.update', id));
    });
    return this.get(caller, id);
  }

  /**
   * Deletes a base: it is gone when this has returned, its files and vectors soon after.
   * @throws NotFound, also for those of others; Forbidden
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.parts.dataSource.transaction(async (tx) => {
      const base = await lockWritable(tx, caller, id);
      await tx.update(KnowledgeBase, { id }, { deletedTime: new Date() });
      await this.parts.erasure.enqueue(tx, { baseId: id }, base.tenantId);
      await this.parts.audit.record(tx, actorOf(caller), eventOf(caller, 'knowledge_base.delete', id));
    });
  }
}

function eventOf({ tenantId }: Caller, action: `knowledge_base.${string}`, id: string) {
  return { tenantId, action, target: { type: 'knowledge_base', id } } as const;
}

function checkedPatch(patch: KnowledgeBasePatch) {
  const { name, description, isPrivate, embeddingModel } = patch;
  return {
    ...(name !== undefined && { name: checkedName(notNull(name, 'name'), MAX_NAME) }),
    ...(description !== undefined && { description: checkedDescription(notNull(description, 'description')) }),
    ...(isPrivate !== undefined && { isPrivate: notNull(isPrivate, 'isPrivate') }),
    ...(embeddingModel !== undefined && { embeddingModel: notNull(embeddingModel, 'embeddingModel') }),
  };
}

/** @throws BadRequest where it is too long */
function checkedDescription(description: string): string {
  if ([...description].length <= MAX_DESCRIPTION) return description;
  throw new BadRequest(`description must have at most ${MAX_DESCRIPTION} characters.`, 'description');
}
