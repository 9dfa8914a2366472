import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { readPage } from '../../graph/connection.js';
import type { Connection, SortOrder } from '../../graph/connection.js';
import type { PlaceSeeker } from '../../platform/async/caller-places.js';
import { countAtMost } from '../../platform/database/count-at-most.js';
import type { Database } from '../../platform/database/database.js';
import type { UsageCall, UsageCallsArgs } from './usage.types.js';

const COLUMNS = sql`
  id, 'usage.call' AS object, request_id AS "requestId", state, area, model, backend, prompt_tokens AS "promptTokens",
  completion_tokens AS "completionTokens", (prompt_tokens::bigint + completion_tokens)::float8 AS "totalTokens", audio_ms::float8 / 1000 AS "audioSeconds", outcome,
  CASE WHEN state <> 'open' THEN duration_ms END AS "durationMs", created_at AS "createdAt",
  settled_at AS "settledAt"`;

/** The caller's own calls of models, as the ledger has them. */
export class UsageCallsService {
  constructor(private readonly database: Pick<Database, 'dataSource' | 'longReads'>) {}

  /**
   * @throws BadRequest that names the field; RateLimited, Unavailable where too many large queries are under way; the
   * reason of the signal
   */
  async list({ tenantId, userId }: Caller, args: UsageCallsArgs, signal: AbortSignal): Promise<Connection<UsageCall>> {
    if (args.from && args.to && args.from >= args.to) throw new BadRequest('from must be before to.', 'from');
    const filters: [Sql, unknown][] = [
      [sql`tenant_id =`, tenantId],
      [sql`user_id =`, userId],
      [sql`model =`, args.model],
      [sql`area =`, args.area],
      [sql`state =`, args.state],
      [sql`created_at >=`, args.from],
      [sql`created_at <`, args.to],
    ];
    const given = filters.filter(([, value]) => value !== undefined && value !== null);
    const where = join([sql`area IS NOT NULL`, ...given.map(([test, value]) => sql`${test} ${value}`)], ' AND ');
    const { dataSource, longReads } = this.database;
    const reader: PlaceSeeker = { tenantId, userId, signal };
    return readPage(args, {
      read: (limit, after, order) => longReads.run(reader, () => this.read(where, limit, after, order)),
      keyOf: ({ id }) => id,
      count: (limit) =>
        longReads.run(reader, () => countAtMost(dataSource, sql`SELECT FROM calls WHERE ${where}`, limit)),
    });
  }

  private read(where: Sql, limit: number, after: string | undefined, order: SortOrder): Promise<UsageCall[]> {
    const isUp = order === 'asc';
    const behind = after === undefined ? empty : isUp ? sql`AND id > ${after}` : sql`AND id < ${after}`;
    const { text, values } = sql`
      SELECT ${COLUMNS} FROM calls WHERE ${where} ${behind} ORDER BY id ${isUp ? sql`ASC` : sql`DESC`} LIMIT ${limit}`;
    return this.database.dataSource.query(text, values);
  }
}
