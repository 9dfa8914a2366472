import type { DataSource, EntityManager, FindOptionsWhere } from 'typeorm';
import { IsNull, In, Not } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest, NotFound, PlatformError } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import { isId } from '../../platform/ids.js';
import { parseSchema } from '../schema/schema-parser.js';
import type { ExtractionSchema } from '../schema/schema.types.js';
import { Document } from '../files/document.entity.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import { findVisible, lockVisible } from '../sessions/session-access.js';
import { changeCounters } from '../sessions/session-counters.js';
import { DocumentValue } from './document-value.entity.js';
import type { ValueStatus } from './document-value.entity.js';
import { resolve } from './resolution.js';
import type { ResolvedValue } from './resolution.js';
import type { ResolutionInput, ReviewAction } from './review.inputs.js';

/** Items in one transaction: the embedded database does nothing else meanwhile. */
const ITEMS_AT_ONCE = 50;
const MOST_CLAIMED = 100;
const [DEFAULT_CLAIM, DEFAULT_SECONDS] = [10, 300];
const [LEAST_SECONDS, MOST_SECONDS] = [10, 3_600];

/** What the audit log calls them. */
const ACTIONS = {
  accept: 'review_item.accept',
  correct: 'review_item.correct',
  reject: 'review_item.reject',
} as const satisfies Record<ReviewAction, string>;

/** Whoever claims at the same time gets others: nobody waits for a row that somebody is taking. One's own come first. */
const CLAIM = `
  UPDATE document_values SET claimed_by = $2, claimed_until = now() + make_interval(secs => $4) WHERE id IN (
    SELECT v.id FROM document_values v JOIN documents d ON d.id = v.document_id
    WHERE v.session_id = $1 AND v.status = 'pending' AND d.status = 'ready' AND d.deleted_at IS NULL
      AND (v.claimed_by IS NULL OR v.claimed_by = $2 OR v.claimed_until < now())
    ORDER BY (v.claimed_by = $2 AND v.claimed_until >= now()) IS TRUE DESC, v.id LIMIT $3
    FOR UPDATE OF v SKIP LOCKED)
  RETURNING id`;

interface ReviewParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly notifier: ChangeNotifier;
}

/** What became of one of several items. */
export interface ItemOutcome {
  readonly id: string;
  /** Undefined: it is as the caller has said. */
  readonly error?: PlatformError;
}

/** Values that people check. */
export class ReviewService {
  constructor(private readonly parts: ReviewParts) {}

  /** A page of the items of a session. @throws NotFound for the session */
  async list(
    caller: Caller,
    sessionId: string,
    page: PageArgs,
    status?: ValueStatus | null,
  ): Promise<Connection<DocumentValue>> {
    const { dataSource } = this.parts;
    await findVisible(dataSource.manager, caller, sessionId);
    const where: FindOptionsWhere<DocumentValue> = {
      sessionId,
      status: status ?? Not('extracted'),
      document: { status: 'ready', deletedTime: IsNull() },
    };
    const rows = dataSource.getRepository(DocumentValue);
    return readTablePage<DocumentValue, DocumentValue>(page, rows, where, (row) => row);
  }

  /**
   * Hands out items that wait, to nobody else until the lease lapses; first those that the caller has already.
   * @throws NotFound for the session; BadRequest
   */
  async claim(caller: Caller, sessionId: string, wanted: ClaimRequest): Promise<DocumentValue[]> {
    const limit = within(wanted.limit ?? DEFAULT_CLAIM, 1, MOST_CLAIMED, 'limit');
    const seconds = within(wanted.seconds ?? DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS, 'seconds');
    const { manager } = this.parts.dataSource;
    await findVisible(manager, caller, sessionId);
    const [rows] = await manager.query<[{ id: string }[], number]>(CLAIM, [sessionId, caller.userId, limit, seconds]);
    const where = { id: In(rows.map(({ id }) => id)), claimedBy: caller.userId };
    return manager.find(DocumentValue, { where, order: { id: 'asc' } });
  }

  /** Resolves an item. @throws as `resolve` does; NotFound */
  async resolve(caller: Caller, sessionId: string, id: string, input: ResolutionInput): Promise<DocumentValue> {
    const { manager } = this.parts.dataSource;
    await findVisible(manager, caller, sessionId, 'review item');
    const [outcome] = await this.resolveTogether(caller, sessionId, new Map([[id, input]]));
    if (outcome?.error) throw outcome.error;
    return manager.findOneByOrFail(DocumentValue, { id });
  }

  /**
   * Resolves items, each or not at all, whatever becomes of the others.
   * @param inputs by the ids of the items
   * @throws NotFound for the session
   */
  async resolveAll(
    caller: Caller,
    sessionId: string,
    inputs: ReadonlyMap<string, ResolutionInput>,
  ): Promise<ItemOutcome[]> {
    const entries = [...inputs];
    const outcomes: ItemOutcome[] = [];
    for (let first = 0; first < entries.length; first += ITEMS_AT_ONCE) {
      const some = new Map(entries.slice(first, first + ITEMS_AT_ONCE));
      outcomes.push(...(await this.resolveTogether(caller, sessionId, some)));
    }
    return outcomes;
  }

  private async resolveTogether(
    caller: Caller,
    sessionId: string,
    inputs: ReadonlyMap<string, ResolutionInput>,
  ): Promise<ItemOutcome[]> {
    const { dataSource, audit, notifier } = this.parts;
    const outcomes = await dataSource.transaction(async (tx) => {
      // Whoever changes items of a session does it one after another: the last one knows that it is.
      const session = await lockVisible(tx, caller, sessionId);
      const schema = parseSchema(session.schema);
      const items = await lockItems(tx, sessionId, [...inputs.keys()]);
      const unread = await unreadDocuments(tx, items);
      const outcomes: ItemOutcome[] = [];
      const resolutions: Resolution[] = [];
      for (const [id, input] of inputs) {
        const item = items.find((one) => one.id === id);
        const isReady = item !== undefined && !unread.has(item.documentId);
        const outcome = outcomeOf(caller, { id, item, session, schema, isReady }, input);
        if (outcome.resolution) resolutions.push(outcome.resolution);
        outcomes.push(outcome);
      }
      await this.write(tx, caller, session, resolutions);
      const pending = resolutions.filter(({ wasPending }) => wasPending).length;
      if (pending > 0) await changeCounters(tx, session, { pending: -pending }, { actor: actorOf(caller), audit });
      return outcomes;
    });
    notifier.changed(sessionId);
    return outcomes;
  }

  /** Writes what was said of items, with an audit entry for each. */
  private async write(
    tx: EntityManager,
    caller: Caller,
    { tenantId }: DocumentSession,
    resolutions: readonly Resolution[],
  ): Promise<void> {
    if (resolutions.length === 0) return;
    await tx.query(RESOLVE, [JSON.stringify(resolutions), caller.userId, resolutions.map(({ id }) => id)]);
    await this.parts.audit.recordAll(
      tx,
      actorOf(caller),
      resolutions.map(({ id, action }) => ({ tenantId, action: ACTIONS[action], target: { type: 'review_item', id } })),
    );
  }
}

/** What is written of one item. */
interface Resolution extends ResolvedValue {
  readonly id: string;
  readonly action: ReviewAction;
  readonly wasPending: boolean;
}

function outcomeOf(
  caller: Caller,
  { id, item, ...reviewed }: LockedItem,
  input: ResolutionInput,
): ItemOutcome & { readonly resolution?: Resolution } {
  if (!item) return { id, error: new NotFound('The review item does not exist.') };
  try {
    const resolved = resolve(caller, { item, ...reviewed }, input);
    if (!resolved) return { id };
    return { id, resolution: { ...resolved, id, action: input.action, wasPending: item.status === 'pending' } };
  } catch (error) {
    if (error instanceof PlatformError) return { id, error };
    throw error;
  }
}

/** How many items, and for how long. */
export interface ClaimRequest {
  /** 1 to 100; 10 by default. */
  readonly limit?: number | null;
  /** 10 to 3,600; 300 by default. */
  readonly seconds?: number | null;
}

/** The ids are told twice: without statistics, as in the embedded database, the whole table would be read for the rows alone. */
const RESOLVE = `
  UPDATE document_values v SET status = r.status, value = nullif(r.value, 'null'::jsonb), comment = r.comment,
    resolved_by = $2, resolved_at = now(), claimed_by = NULL, claimed_until = NULL, version = v.version + 1
  FROM jsonb_to_recordset($1::jsonb) AS r (id text, status text, value jsonb, comment text)
  WHERE v.id = r.id AND v.id = ANY($3::text[])`;

interface LockedItem {
  readonly id: string;
  readonly item: DocumentValue | undefined;
  readonly session: DocumentSession;
  readonly schema: ExtractionSchema;
  readonly isReady: boolean;
}

/** In the order of their ids, so that no two wait for each other. */
function lockItems(tx: EntityManager, sessionId: string, ids: readonly string[]): Promise<DocumentValue[]> {
  const known = ids.filter((id) => isId('ri', id));
  if (known.length === 0) return Promise.resolve([]);
  return tx
    .getRepository(DocumentValue)
    .createQueryBuilder('v')
    .where('v.session_id = :sessionId AND v.id IN (:...known)', { sessionId, known })
    .andWhere("v.status <> 'extracted'")
    .orderBy('v.id')
    .setLock('pessimistic_write')
    .getMany();
}

/** Those documents of items that are being read anew, or are gone. */
async function unreadDocuments(tx: EntityManager, items: readonly DocumentValue[]): Promise<ReadonlySet<string>> {
  const ids = new Set(items.map(({ documentId }) => documentId));
  const ready = await tx.find(Document, {
    select: { id: true },
    where: { id: In([...ids]), status: 'ready', deletedTime: IsNull() },
  });
  for (const { id } of ready) ids.delete(id);
  return ids;
}

function within(value: number, least: number, most: number, name: string): number {
  if (value >= least && value <= most) return value;
  throw new BadRequest(`${name} must be from ${least} to ${most}.`, name);
}
