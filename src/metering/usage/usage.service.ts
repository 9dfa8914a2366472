import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { requireTenantAdmin, tenantScope } from '../../access/tenancy.js';
import type { PlaceSeeker } from '../../platform/async/caller-places.js';
import type { Database } from '../../platform/database/database.js';
import { monthOf } from '../../platform/month.js';
import type {
  AdminUsageArgs,
  UsageArgs,
  UsageBucket,
  UsageDimension,
  UsageInterval,
  UsageSeries,
} from './usage.types.js';

const HOUR_MS = 3_600_000;
const LONGEST_DAYS = { day: 400, hour: 31 } as const;
/** The most rows of one answer. */
const ROWS = 10_000;
/** As a text: it may be minus infinity. */
const WATERMARK = 'SELECT rolled_up_to::text AS watermark FROM usage_watermark';
const COLUMNS = { model: sql`model`, area: sql`area`, user: sql`user_id` } as const;

interface Filter {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
  readonly model?: string | null | undefined;
  readonly area?: string | null | undefined;
}

interface Span {
  readonly from: Date;
  readonly to: Date;
  readonly interval: UsageInterval;
}

/**
 * What was used over time. Hours up to the watermark are counted already, and what was settled later is read from the
 * ledger itself, in one snapshot, so a series always equals the ledger.
 */
export class UsageService {
  constructor(private readonly database: Pick<Database, 'dataSource' | 'longReads'>) {}

  /**
   * The caller's own use.
   * @throws BadRequest that names the field; RateLimited, Unavailable where too many large queries are under way; the
   * reason of the signal
   */
  async own(caller: Caller, args: UsageArgs, signal: AbortSignal): Promise<UsageSeries> {
    const { tenantId, userId } = caller;
    const { model, area } = args;
    return this.read({ ...caller, signal }, args, { tenantId, userId, model, area });
  }

  /**
   * The use of a tenant that the caller administers, or of all tenants for a sysadmin.
   * @throws as `own` does; Forbidden; NotFound for the tenants of others
   */
  async ofTenant(caller: Caller, args: AdminUsageArgs, signal: AbortSignal): Promise<UsageSeries> {
    const tenantId = args.tenantId ?? tenantScope(caller).tenantId;
    if (tenantId !== undefined) requireTenantAdmin(caller, tenantId);
    const { model, area } = args;
    return this.read({ ...caller, signal }, args, { tenantId, userId: args.userId ?? undefined, model, area });
  }

  private async read(reader: PlaceSeeker, args: UsageArgs, filter: Filter): Promise<UsageSeries> {
    const span = spanOf(args, new Date());
    const dimensions = [...new Set(args.groupBy ?? [])];
    const { dataSource, longReads } = this.database;
    const readSeries = () =>
      dataSource.transaction('REPEATABLE READ', async (tx) => {
        // By its value the database knows how few calls are behind it, and plans accordingly.
        const [{ watermark }] = await tx.query<[{ watermark: string }]>(WATERMARK);
        const { text, values } = statement(span, watermark, dimensions, filter);
        return tx.query<UsageBucket[]>(text, values);
      });
    const data = await longReads.run(reader, readSeries);
    if (data.length > ROWS) {
      throw new BadRequest(`The series has more than ${ROWS} entries. Narrow it, or divide it by less.`, 'from');
    }
    const total = (member: keyof UsageBucket): number => data.reduce((sum, bucket) => sum + Number(bucket[member]), 0);
    const totals = {
      requests: total('requests'),
      promptTokens: total('promptTokens'),
      completionTokens: total('completionTokens'),
      totalTokens: total('totalTokens'),
      audioSeconds: total('audioSeconds'),
    };
    return { object: 'usage', ...span, data, totals };
  }
}

/** @throws BadRequest that names the field */
function spanOf(args: UsageArgs, now: Date): Span {
  const interval = args.interval ?? 'day';
  const from = new Date(Math.floor((args.from ?? monthOf(now).periodStart).getTime() / HOUR_MS) * HOUR_MS);
  const to = new Date(Math.ceil((args.to ?? now).getTime() / HOUR_MS) * HOUR_MS);
  if (from >= to) throw new BadRequest('from must be before to.', 'from');
  const days = LONGEST_DAYS[interval];
  if (to.getTime() - from.getTime() > days * 24 * HOUR_MS) {
    throw new BadRequest(`A series by ${interval} may be ${days} days long at most.`, 'from');
  }
  return { from, to, interval };
}

function statement(
  { from, to, interval }: Span,
  watermark: string,
  by: readonly UsageDimension[],
  filter: Filter,
): Sql {
  const filters: [Sql, unknown][] = [
    [sql`tenant_id`, filter.tenantId],
    [sql`user_id`, filter.userId],
    [sql`model`, filter.model],
    [sql`area`, filter.area],
  ];
  const given = filters.filter(([, value]) => value !== undefined && value !== null);
  const where = join([sql`true`, ...given.map(([column, value]) => sql`${column} = ${value}`)], ' AND ');
  const columns = by.reduce((others, dimension) => sql`${others}, ${COLUMNS[dimension]}`, empty);
  const shown = (dimension: UsageDimension): Sql => (by.includes(dimension) ? COLUMNS[dimension] : sql`NULL`);
  // Most rows are added up by their hour as it stands: cutting a day off a time takes longer than adding.
  return sql`
    WITH counted AS (
      SELECT hour${columns}, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens,
             sum(completion_tokens) AS completion_tokens, sum(audio_ms) AS audio_ms
      FROM usage_hours WHERE hour >= ${from} AND hour < ${to} AND ${where} GROUP BY hour${columns}
      UNION ALL
      SELECT date_trunc('hour', settled_at, 'UTC')${columns}, 1, prompt_tokens, completion_tokens, audio_ms FROM calls
      WHERE settled_at >= ${watermark}::timestamptz AND settled_at >= ${from} AND settled_at < ${to}
        AND area IS NOT NULL AND ${where}
    )
    SELECT date_trunc(${interval}, hour, 'UTC') AS start, ${shown('model')} AS model, ${shown('area')} AS area,
           ${shown('user')} AS "userId", sum(calls)::float8 AS requests, sum(prompt_tokens)::float8 AS "promptTokens",
           sum(completion_tokens)::float8 AS "completionTokens",
           sum(prompt_tokens + completion_tokens)::float8 AS "totalTokens", sum(audio_ms)::float8 / 1000 AS "audioSeconds"
    FROM counted GROUP BY 1${columns} ORDER BY 1${columns} LIMIT ${ROWS + 1}`;
}
