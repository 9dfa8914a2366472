import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { whole } from '../platform/config/variables.js';

const requestsPerMinute = whole(0, 10_000_000);
const tokensPerMinute = whole(0, 10_000_000_000);
const streams = whole(0, 1_000_000);

const rateLimits = z
  .strictObject({
    requests_per_minute: requestsPerMinute.default(0),
    tokens_per_minute: tokensPerMinute.default(0),
    streams: streams.default(0),
  })
  .transform((limits) => ({
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
    streams: limits.streams,
  }));

const planLimits = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.partialRecord(z.enum(['free', 'team', 'enterprise']), rateLimits));

/** How much callers may ask for, and how long what they used is remembered. */
export const meteringConfig = z
  .object({
    RATE_LIMIT_REQUESTS_PER_MINUTE: requestsPerMinute
      .default(600)
      .describe('Model calls a minute for each user; 0: no limit.'),
    RATE_LIMIT_TOKENS_PER_MINUTE: tokensPerMinute
      .default(0)
      .describe(
        'Tokens that a user may use in a minute: prompts when they are asked, answers when they are there; 0 is no limit.',
      ),
    RATE_LIMIT_STREAMS: streams.default(0).describe('Streams that a user may have open at once; 0 is no limit.'),
    RATE_LIMIT_PLANS: planLimits.default({}).describe(
      `The same for each tenant as a whole, by its plan, as JSON; what is left out is no limit:
{"free":{"requests_per_minute":60,"tokens_per_minute":100000,"streams":5}}`,
    ),
    QUOTA_TOKENS_PER_MONTH: whole(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Tokens a calendar month (UTC) for each user; not set: no limit.'),
    RESERVED_TOKENS_PER_MEDIA_PART: whole(1, 10_000_000)
      .default(4_096)
      .describe(
        'Tokens that an image, a sound or the like in a prompt counts until its model server tells how many it really was.',
      ),
    USAGE_CALLS_RETENTION_DAYS: whole(0, 36_500)
      .default(400)
      .describe('Days for which the record of each call is kept, and what was used in each hour; 0 is for ever.'),
    USAGE_HOURS_RETENTION_DAYS: whole(0, 36_500).default(0),
  })
  .refine(
    ({ USAGE_CALLS_RETENTION_DAYS: calls, USAGE_HOURS_RETENTION_DAYS: hours }) =>
      hours === 0 || (calls !== 0 && hours >= calls),
    {
      path: ['USAGE_HOURS_RETENTION_DAYS'],
      message: 'must not be less than USAGE_CALLS_RETENTION_DAYS (0: for ever)',
    },
  )
  .describe('Metering');

/** The settings of metering. */
export type MeteringConfig = ConfigOf<typeof meteringConfig>;

/** How much a user or a tenant may ask for, streams at once; 0: no limit. */
export type RateLimits = Readonly<z.output<typeof rateLimits>>;
