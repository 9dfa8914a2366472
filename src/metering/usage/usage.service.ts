import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { requireTenantAdmin, tenantScope } from '../../access/tenancy.js';
import { monthOf } from '../month.js';
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
const COLUMNS = { model: 'model', area: 'area', user: 'user_id' } as const;

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
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The caller's own use.
   * @throws BadRequest that names the field
   */
  async own({ tenantId, userId }: Caller, args: UsageArgs): Promise<UsageSeries> {
    const { model, area } = args;
    return this.read(args, { tenantId, userId, model, area });
  }

  /**
   * The use of a tenant that the caller administers, or of all tenants for a sysadmin.
   * @throws BadRequest that names the field; Forbidden; NotFound for the tenants of others
   */
  async ofTenant(caller: Caller, args: AdminUsageArgs): Promise<UsageSeries> {
    const tenantId = args.tenantId ?? tenantScope(caller).tenantId;
    if (tenantId !== undefined) requireTenantAdmin(caller, tenantId);
    const { model, area } = args;
    return this.read(args, { tenantId, userId: args.userId ?? undefined, model, area });
  }

  private async read(args: UsageArgs, filter: Filter): Promise<UsageSeries> {
    const span = spanOf(args, new Date());
    const dimensions = [...new Set(args.groupBy ?? [])];
    const data = await this.dataSource.transaction('REPEATABLE READ', async (tx) => {
      // By its value the database knows how few calls are behind it, and plans accordingly.
      const [{ watermark }] = await tx.query<[{ watermark: string }]>(WATERMARK);
      const { sql, values } = statement(span, watermark, dimensions, filter);
      return tx.query<UsageBucket[]>(sql, values);
    });
    if (data.length > ROWS) {
      throw new BadRequest(`The series has more than ${ROWS} entries. Narrow it, or divide it by less.`, 'from');
    }
    const total = (member: keyof UsageBucket): number => data.reduce((sum, bucket) => sum + Number(bucket[member]), 0);
    const totals = {
      requests: total('requests'),
      promptTokens: total('promptTokens'),
      completionTokens: total('completionTokens'),
      totalTokens: total('totalTokens'),
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

function statement(span: Span, watermark: string, dimensions: readonly UsageDimension[], filter: Filter) {
  const filters: [string, unknown][] = [
    ['tenant_id', filter.tenantId],
    ['user_id', filter.userId],
    ['model', filter.model],
    ['area', filter.area],
  ];
  const given = filters.filter(([, value]) => value !== undefined && value !== null);
  const where = given.map(([column], index) => `AND ${column} = $${index + 5}`).join(' ');
  const selected = (['model', 'area', 'user'] as const).map((dimension) => {
    const column = COLUMNS[dimension];
    return dimensions.includes(dimension)
      ? `${column} AS "${outputOf(dimension)}"`
      : `NULL AS "${outputOf(dimension)}"`;
  });
  const columns = dimensions.map((dimension) => `, ${COLUMNS[dimension]}`).join('');
  // Most rows are added up by their hour as it stands: cutting a day off a time takes longer than adding.
  const sql = `
    WITH counted AS (
      SELECT hour${columns}, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens,
             sum(completion_tokens) AS completion_tokens
      FROM usage_hours WHERE hour >= $1 AND hour < $2 ${where} GROUP BY hour${columns}
      UNION ALL
      SELECT date_trunc('hour', settled_at, 'UTC')${columns}, 1, prompt_tokens, completion_tokens FROM calls
      WHERE settled_at >= $4::timestamptz AND settled_at >= $1 AND settled_at < $2
        AND area IS NOT NULL ${where}
    )
    SELECT date_trunc($3, hour, 'UTC') AS start, ${selected.join(', ')}, sum(calls)::float8 AS requests,
           sum(prompt_tokens)::float8 AS "promptTokens", sum(completion_tokens)::float8 AS "completionTokens",
           sum(prompt_tokens + completion_tokens)::float8 AS "totalTokens"
    FROM counted GROUP BY 1${columns} ORDER BY 1${columns} LIMIT ${ROWS + 1}`;
  return { sql, values: [span.from, span.to, span.interval, watermark, ...given.map(([, value]) => value)] };
}

function outputOf(dimension: UsageDimension): string {
  return dimension === 'user' ? 'userId' : dimension;
}
