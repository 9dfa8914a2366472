import type { Caller } from '../../access/caller.js';
import type { DataSource } from 'typeorm';
import { BadRequest } from '../../errors.js';
import { findVisible } from '../sessions/session-access.js';
import { BulkResolution } from './review.inputs.js';
import type { BulkResolutionItem, ResolutionInput, ReviewAction, ReviewFilter } from './review.inputs.js';
import type { ItemOutcome, ReviewService } from './review.service.js';

const MOST_ITEMS = 1_000;
const FOUND_AT_ONCE = 500;
const COUNTED_AT_ONCE = 2_000;

/** Items of documents that are ready, by place and confidence. */
const FITTING = `
  FROM document_values v JOIN documents d ON d.id = v.document_id AND d.status = 'ready' AND d.deleted_at IS NULL
  WHERE v.session_id = $1 AND v.confidence >= $2
    AND ($3::text IS NULL OR v.path = $3 OR regexp_replace(v.path, '\\[\\d+\\]', '[]', 'g') = $3)`;
const WAITING = `SELECT v.id ${FITTING} AND v.status = 'pending' AND v.id > $4 ORDER BY v.id LIMIT ${FOUND_AT_ONCE}`;
/** Counted by and by: the embedded database does nothing else meanwhile. */
const RESOLVED_BY = `
  SELECT count(*)::integer AS count, max(id) AS last FROM (
    SELECT v.id ${FITTING} AND v.id > $4 AND v.status = $5 AND v.resolved_by = $6 ORDER BY v.id LIMIT ${COUNTED_AT_ONCE}
  ) AS found`;

/** Many items, either named or found. */
export interface BulkRequest {
  readonly items?: readonly BulkResolutionItem[] | null;
  readonly action?: ReviewAction | null;
  readonly filter?: ReviewFilter | null;
}

/** Resolves many items at once, each or not at all; done again, it answers the same. */
export class BulkReview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly review: Pick<ReviewService, 'resolveAll'>,
  ) {}

  /** @throws BadRequest where there is not exactly one of `items` and `filter`; NotFound for the session */
  async resolve(caller: Caller, sessionId: string, { items, action, filter }: BulkRequest): Promise<BulkResolution> {
    await findVisible(this.dataSource.manager, caller, sessionId);
    const hasItems = items !== undefined && items !== null;
    const hasFilter = (filter !== undefined && filter !== null) || (action !== undefined && action !== null);
    if (hasItems === hasFilter) throw new BadRequest('Give either items, or an action with a filter.', 'items');
    if (hasItems) return this.resolveNamed(caller, sessionId, items);
    if (!filter) throw new BadRequest('filter is required; {} stands for all items that wait.', 'filter');
    if (!action) throw new BadRequest('action is required with a filter.', 'action');
    if (action === 'correct') throw new BadRequest('`correct` needs a value of its own for each item.', 'action');
    return this.resolveFound(caller, sessionId, action, filter);
  }

  private async resolveNamed(
    caller: Caller,
    sessionId: string,
    items: readonly BulkResolutionItem[],
  ): Promise<BulkResolution> {
    if (items.length === 0 || items.length > MOST_ITEMS) {
      throw new BadRequest(`items must have 1 to ${MOST_ITEMS} entries.`, 'items');
    }
    const inputs = new Map<string, ResolutionInput>(items.map(({ id, ...input }) => [id, input]));
    if (inputs.size < items.length) throw new BadRequest('items must name each item once.', 'items');
    const outcomes = await this.review.resolveAll(caller, sessionId, inputs);
    return this.answer(sessionId, outcomes.filter(({ error }) => !error).length, outcomes);
  }

  private async resolveFound(
    caller: Caller,
    sessionId: string,
    action: 'accept' | 'reject',
    { field, minConfidence }: ReviewFilter,
  ): Promise<BulkResolution> {
    const place = [sessionId, minConfidence ?? 0, field ?? null];
    const outcomes: ItemOutcome[] = [];
    for (let after = ''; ;) {
      const rows = await this.dataSource.query<{ id: string }[]>(WAITING, [...place, after]);
      const inputs = new Map<string, ResolutionInput>(rows.map(({ id }) => [id, { action }]));
      outcomes.push(...(await this.review.resolveAll(caller, sessionId, inputs)));
      if (rows.length < FOUND_AT_ONCE) break;
      after = rows.at(-1)?.id ?? after;
    }
    const status = action === 'accept' ? 'accepted' : 'rejected';
    // Those that were resolved so before are among them: who asks again is told the same.
    return this.answer(sessionId, await this.countResolved(place, status, caller.userId), outcomes);
  }

  private async countResolved(place: readonly unknown[], status: string, userId: string): Promise<number> {
    let resolved = 0;
    for (let after = ''; ;) {
      const values = [...place, after, status, userId];
      const [row] = await this.dataSource.query<{ count: number; last: string | null }[]>(RESOLVED_BY, values);
      resolved += row?.count ?? 0;
      if (!row?.last || row.count < COUNTED_AT_ONCE) return resolved;
      after = row.last;
    }
  }

  private async answer(sessionId: string, resolved: number, outcomes: readonly ItemOutcome[]): Promise<BulkResolution> {
    const failed = outcomes.flatMap(({ id, error }) => (error ? [{ id, error: error.toBody().error }] : []));
    const sql = 'SELECT pending_count AS remaining FROM document_sessions WHERE id = $1';
    const [row] = await this.dataSource.query<{ remaining: number }[]>(sql, [sessionId]);
    return Object.assign(new BulkResolution(), {
      resolved,
      failed: failed.slice(0, MOST_ITEMS),
      remaining: row?.remaining ?? 0,
    });
  }
}
