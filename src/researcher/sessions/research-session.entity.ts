import { Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { Tenant, User } from '../../identity/domain.js';
import { wholeNumber } from '../../platform/database/whole-number.js';
import { ResearchUsage } from './research-usage.types.js';
import type { RawResearchReport } from './research-report.types.js';

/** How far a session is. */
export const ResearchStatus = {
  queued: 'queued',
  searching: 'searching',
  reading: 'reading',
  analyzing: 'analyzing',
  synthesizing: 'synthesizing',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;
/** One of them. */
export type ResearchStatus = keyof typeof ResearchStatus;

registerEnumType(ResearchStatus, {
  name: 'ResearchStatus',
  description: 'How far a research session is.',
  valuesConfig: {
    queued: { description: 'It waits for its turn.' },
    searching: { description: 'Sources are looked for.' },
    reading: { description: 'Sources are read.' },
    analyzing: { description: 'Claims are taken from what was read.' },
    synthesizing: { description: 'The report is written.' },
    completed: { description: 'The report is there.' },
    failed: { description: '`reason` and `error` say why. What was found is kept, and it can be resumed.' },
    cancelled: { description: 'Its owner has cancelled it. What was found is kept.' },
  },
});

/** The states of a session that is over; a failed one can be resumed. */
export const ENDED: readonly ResearchStatus[] = ['completed', 'failed', 'cancelled'];

/** A question, and the report that answers it from sources (docs/api.md, Researcher). It is its owner's alone. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A question, and the report that answers it from sources.' })
@Entity('research_sessions')
@Index('research_sessions_owner_id', ['ownerId', 'id'])
@Index('research_sessions_tenant_id', ['tenantId', 'id'])
export class ResearchSession {
  @Field(() => ID, { description: 'Begins with `rs_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_sessions_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `researcher.session`.' })
  readonly object = 'researcher.session';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'research_sessions_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => ID, { description: 'Whose it is.' })
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'research_sessions_owner_id_fkey' })
  owner?: Relation<User>;

  /** The token that began its run: its calls of models are recorded under it. */
  @Column({ type: 'text', name: 'token_id' })
  tokenId!: string;

  /** The same where that is a personal access token, whose scopes are asked for at each query of knowledge bases. */
  @Column({ type: 'text', name: 'api_token_id', nullable: true })
  apiTokenId!: string | null;

  @Field(() => String, { description: 'As it was asked.' })
  @Column({ type: 'text' })
  question!: string;

  @Field(() => Int, { description: 'Rounds of search at most, 1 to 3.' })
  @Column({ type: 'integer' })
  depth!: number;

  @Field(() => Int, { description: 'Sources that are read at most.' })
  @Column({ type: 'integer', name: 'max_sources' })
  maxSources!: number;

  @Field(() => String, { description: 'The model that asks, claims and writes.' })
  @Column({ type: 'text' })
  model!: string;

  @Field(() => ID, { nullable: true, description: 'How credible sources are; null: by the default of the tenant.' })
  @Column({ type: 'text', name: 'credibility_config_id', nullable: true })
  credibilityConfigId!: string | null;

  @Field(() => [ID], { description: 'Knowledge bases that are searched beside the web.' })
  @Column({ type: 'text', array: true, name: 'knowledgebase_ids' })
  knowledgebaseIds!: string[];

  @Field(() => SafeInt, { nullable: true, description: 'Tokens that it may use at most; null: as many as it takes.' })
  @Column({ type: 'bigint', name: 'max_tokens', transformer: wholeNumber, nullable: true })
  maxTokens!: number | null;

  @Field(() => Int, { description: 'How long it may take, in seconds, from when it is begun.' })
  @Column({ type: 'integer', name: 'max_seconds' })
  maxSeconds!: number;

  @Field(() => Boolean, { description: 'Whether sentences that stand in a source word for word alone are reported.' })
  @Column({ type: 'boolean' })
  strict!: boolean;

  @Field(() => ID, { nullable: true, description: 'The session whose sources are read instead of the network.' })
  @Column({ type: 'text', name: 'replay_of', nullable: true })
  replayOf!: string | null;

  @Field(() => ResearchStatus, { description: 'How far it is.' })
  @Column({ type: 'text' })
  status!: ResearchStatus;

  @Field(() => Float, { description: 'The share that is done, from 0 to 1.' })
  @Column({ type: 'real' })
  progress!: number;

  @Field(() => String, { nullable: true, description: 'Why it failed, as a word such as `quota_exceeded`.' })
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, or that it waits for a server that is not running.',
  })
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Field(() => JsonScalar, { nullable: true, description: 'The report; null before it is completed.' })
  // As it was written: the order of its members is that of the answer.
  @Column({ type: 'json', nullable: true })
  report!: RawResearchReport | null;

  /** How often it was begun, or resumed: a job of an earlier run does nothing any more. */
  @Column({ type: 'integer' })
  run!: number;

  /** The id of its last event. */
  @Column({ type: 'integer', name: 'last_event_id' })
  lastEventId!: number;

  /** Tokens that calls of models have used, or may have used where a process died of them. */
  @Column({ type: 'bigint', name: 'used_tokens', transformer: wholeNumber })
  usedTokens!: number;

  @Column({ type: 'bigint', name: 'input_tokens', transformer: wholeNumber })
  inputTokens!: number;

  @Column({ type: 'bigint', name: 'output_tokens', transformer: wholeNumber })
  outputTokens!: number;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When its run was begun; null: not yet.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was over; null before that.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true })
  completedAt!: Date | null;

  /** Set: it is gone for everybody, and a job deletes what is left of it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;

  @Field(() => ResearchUsage, { description: 'Tokens that its calls of models have used.' })
  get usage(): ResearchUsage {
    const { inputTokens, outputTokens } = this;
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  }
}

/** A page of sessions. */
export const ResearchSessionConnection = connectionType('ResearchSession', ResearchSession);
