import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Conflict } from '../../errors.js';
import { behind, readPage } from '../../graph/connection.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import { countOwned } from '../../platform/database/count-owned.js';
import { newId } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { checkedName } from '../../platform/text/name.js';
import type { DocumentErasure } from '../erasure/document-erasure.js';
import { parseSchema } from '../schema/schema-parser.js';
import { TEMPLATES } from '../schema/templates.js';
import { DocumentSession } from './document-session.entity.js';
import type { DocumentSessionInput } from './document-session.inputs.js';
import { findVisible, lockVisible, requireOwner, visibleTo } from './session-access.js';

const MAX_NAME = 200;
/** Sessions of one owner. */
const MAX_SESSIONS = 10_000;
const DEFAULT_THRESHOLD = 0.9;

interface DocumentSessionsParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  /** @throws NotFound `model_not_found`, Conflict where the caller cannot have answers of a model by a schema */
  readonly checkModel: (caller: Caller, model: string) => Promise<void>;
  readonly erasure: Pick<DocumentErasure, 'enqueue'>;
  readonly notifier: ChangeNotifier;
}

/** Sessions, and who may do what with them. */
export class DocumentSessionsService {
  constructor(private readonly parts: DocumentSessionsParts) {}

  /** A page of those that the caller may see. */
  list(caller: Caller, page: PageArgs): Promise<Connection<DocumentSession>> {
    const rows = this.parts.dataSource.getRepository(DocumentSession);
    const visible = visibleTo(caller);
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: (take, after, order) => {
        const where = visible.map((condition) => ({ ...condition, ...behind(after, order) }));
        return rows.find({ where, order: { id: order }, take });
      },
      count: async (take) => (await rows.find({ select: { id: true }, where: visible, take })).length,
    });
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<DocumentSession> {
    return findVisible(this.parts.dataSource.manager, caller, id);
  }

  /** Those of the ids that the caller may see, in any order. */
  find(caller: Caller, ids: readonly string[]): Promise<DocumentSession[]> {
    const where = visibleTo(caller).flatMap((condition) => ids.map((id) => ({ ...condition, id })));
    return this.parts.dataSource.manager.find(DocumentSession, { where });
  }

  /** @throws BadRequest that names the field; NotFound, Conflict for the model; Conflict where the caller has too many */
  async create(caller: Caller, input: DocumentSessionInput): Promise<DocumentSession> {
    const { dataSource, audit, checkModel } = this.parts;
    const settings = {
      name: checkedName(input.name, MAX_NAME),
      ...schemaOf(input),
      model: input.model ?? null,
      reviewThreshold: checkedThreshold(input.reviewThreshold ?? DEFAULT_THRESHOLD),
      isPrivate: input.isPrivate ?? false,
    };
    if (settings.model !== null) await checkModel(caller, settings.model);
    const id = newId('das');
    await dataSource.transaction(async (tx) => {
      const count = await countOwned(tx, DocumentSession, 'ownerId', caller.userId);
      if (count >= MAX_SESSIONS) throw new Conflict('conflict', `A user may have ${MAX_SESSIONS} sessions at most.`);
      await tx.insert(DocumentSession, {
        id,
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        ...settings,
        documentCount: 0,
        unfinishedCount: 0,
        failedCount: 0,
        pendingCount: 0,
        createdTime: new Date(),
        completedTime: null,
        deletedTime: null,
      } as never);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'document_session.create', id));
    });
    return this.get(caller, id);
  }

  /**
   * Deletes a session: it is gone when this has returned, its documents and values soon after.
   * @throws NotFound, also for those of others; Forbidden
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.parts.dataSource.transaction(async (tx) => {
      const session = await lockVisible(tx, caller, id);
      requireOwner(caller, session);
      await tx.update(DocumentSession, { id }, { deletedTime: new Date() });
      await this.parts.erasure.enqueue(tx, { sessionId: id }, session.tenantId);
      await this.parts.audit.record(tx, actorOf(caller), eventOf(caller, 'document_session.delete', id));
    });
    this.parts.notifier.changed(id);
  }

  /**
   * A session as it is, and then whenever it has changed. It ends with NotFound when the caller may not see it any more.
   * @throws NotFound also for those of others
   */
  async watch(caller: Caller, id: string): Promise<AsyncIterableIterator<DocumentSession>> {
    await this.get(caller, id);
    const { notifier } = this.parts;
    return new EventIterator<string, DocumentSession>({
      listen: (push) => {
        push(id);
        return notifier.listen(id, () => push(id));
      },
      read: () => this.get(caller, id),
    });
  }
}

function eventOf({ tenantId }: Caller, action: `document_session.${string}`, id: string) {
  return { tenantId, action, target: { type: 'document_session', id } } as const;
}

/** @throws BadRequest where there are both or neither, or the schema is none that can be filled */
function schemaOf({ schema, template }: DocumentSessionInput) {
  const hasSchema = schema !== undefined && schema !== null;
  if (hasSchema === (template !== undefined && template !== null)) {
    throw new BadRequest('Give either a schema or a template.', hasSchema ? 'template' : 'schema');
  }
  if (!hasSchema) return { schema: TEMPLATES[template as keyof typeof TEMPLATES], template: template ?? null };
  parseSchema(schema);
  return { schema: schema as JsonObject, template: null };
}

function checkedThreshold(threshold: number): number {
  if (threshold >= 0 && threshold <= 1) return threshold;
  throw new BadRequest('reviewThreshold must be from 0 to 1.', 'reviewThreshold');
}
