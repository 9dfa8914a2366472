import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { readPage } from '../../graph/connection.js';
import type { Connection, SortOrder } from '../../graph/connection.js';
import type { UsageCall, UsageCallsArgs } from './usage.types.js';

const COLUMNS = `
  id, 'usage.call' AS object, request_id AS "requestId", state, area, model, backend, prompt_tokens AS "promptTokens",
  completion_tokens AS "completionTokens", (prompt_tokens::bigint + completion_tokens)::float8 AS "totalTokens", outcome,
  CASE WHEN state <> 'open' THEN duration_ms END AS "durationMs", created_at AS "createdAt",
  settled_at AS "settledAt"`;

/** The caller's own calls of models, as the ledger has them. */
export class UsageCallsService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws BadRequest that names the field */
  async list({ tenantId, userId }: Caller, args: UsageCallsArgs): Promise<Connection<UsageCall>> {
    if (args.from && args.to && args.from >= args.to) throw new BadRequest('from must be before to.', 'from');
    const filters: [string, unknown][] = [
      ['tenant_id =', tenantId],
      ['user_id =', userId],
      ['model =', args.model],
      ['area =', args.area],
      ['state =', args.state],
      ['created_at >=', args.from],
      ['created_at <', args.to],
    ];
    const given = filters.filter(([, value]) => value !== undefined && value !== null);
    const where = ['area IS NOT NULL', ...given.map(([test], index) => `${test} $${index + 1}`)].join(' AND ');
    const values = given.map(([, value]) => value);
    return readPage(args, {
      read: (limit, after, order) => this.read(where, values, limit, after, order),
      keyOf: ({ id }) => id,
      count: (limit) => this.count(where, values, limit),
    });
  }

  private read(where: string, values: unknown[], limit: number, after: string | undefined, order: SortOrder) {
    const behind = after === undefined ? '' : `AND id ${order === 'asc' ? '>' : '<'} $${values.length + 2}`;
    return this.dataSource.query<UsageCall[]>(
      `SELECT ${COLUMNS} FROM calls WHERE ${where} ${behind} ORDER BY id ${order} LIMIT $${values.length + 1}`,
      [...values, limit, ...(after === undefined ? [] : [after])],
    );
  }

  private async count(where: string, values: unknown[], limit: number): Promise<number> {
    const [row] = await this.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM (SELECT FROM calls WHERE ${where} LIMIT $${values.length + 1}) AS counted`,
      [...values, limit],
    );
    return row?.count ?? 0;
  }
}
