import { Field, Int, ObjectType } from 'type-graphql';
import type { CheckState } from '../../platform/telemetry/health.js';

/** How a part of the researcher does, as it was seen last. */
@ObjectType({ simpleResolvers: true, description: 'How a part of the researcher does, as it was seen last.' })
export class ResearcherPartHealth {
  @Field(() => String, { description: 'What it is, such as `searxng`.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it answered when it was last asked, or was never asked.' })
  ok!: boolean;

  @Field(() => Int, { nullable: true, description: 'How long that took; null where it was never asked.' })
  latencyMs!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why it is not ok: `unreachable`, `timeout`, `refused`, `rate_limited`, `server_error`, `bad_answer`, `unresponsive_engines`, `down`.',
  })
  error!: string | null;

  @Field(() => Date, { nullable: true, description: 'When that was; null where it was never asked.' })
  checkedAt!: Date | null;
}

/** Research sessions that are not over, of all users. */
@ObjectType({ simpleResolvers: true, description: 'Research sessions that are not over, of all users.' })
export class ResearcherQueueHealth {
  @Field(() => Int, { description: 'How many wait for their turn, counted to at most 10,000.' })
  waiting!: number;

  @Field(() => Int, { description: 'How many are worked at, counted to at most 10,000.' })
  running!: number;

  @Field(() => Int, { nullable: true, description: 'How long the oldest one waits; null where none does.' })
  oldestSeconds!: number | null;
}

/** How each part of the researcher does. */
@ObjectType({ simpleResolvers: true, description: 'How each part of the researcher does.' })
export class ResearcherHealthDetails {
  @Field(() => String, { description: 'Always `researcher.health`.' })
  readonly object = 'researcher.health';

  @Field(() => String, { description: 'ok, degraded (some parts are not), or down (none of the search providers is).' })
  status!: CheckState;

  @Field(() => [ResearcherPartHealth], { description: 'The search providers, in the order in which they are asked.' })
  search!: ResearcherPartHealth[];

  @Field(() => ResearcherPartHealth, { description: 'What reads pages.' })
  scraper!: ResearcherPartHealth;

  @Field(() => ResearcherPartHealth, { description: 'The models.' })
  model!: ResearcherPartHealth;

  @Field(() => ResearcherQueueHealth, { description: 'What waits.' })
  queue!: ResearcherQueueHealth;
}

/** The state of each part of the researcher. */
@ObjectType({ simpleResolvers: true, description: 'Each is ok, degraded, down or off (not in use).' })
export class ResearcherChecks {
  @Field(() => String, { description: 'The search providers; off where none is configured.' })
  search!: CheckState;

  @Field(() => String, { description: 'What reads pages.' })
  scraper!: CheckState;

  @Field(() => String, { description: 'The models.' })
  model!: CheckState;

  @Field(() => String, { description: 'Research sessions that wait: degraded where one waits for over a minute.' })
  queue!: CheckState;
}

/** How the researcher does. */
@ObjectType({ simpleResolvers: true, description: 'How the researcher does.' })
export class ResearcherHealth {
  @Field(() => String, { description: 'Always `researcher.health`.' })
  readonly object = 'researcher.health';

  @Field(() => String, { description: 'ok, degraded (some parts are not), or down (none of the search providers is).' })
  status!: CheckState;

  @Field(() => ResearcherChecks, { description: 'How each part does.' })
  checks!: ResearcherChecks;
}
