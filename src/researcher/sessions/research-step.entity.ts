import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ResearchSession } from './research-session.entity.js';

/** What a step does. */
export const ResearchStepKind = {
  plan: 'plan',
  query: 'query',
  fetch: 'fetch',
  claims: 'claims',
  section: 'section',
} as const;
/** One of them. */
export type ResearchStepKind = keyof typeof ResearchStepKind;

registerEnumType(ResearchStepKind, {
  name: 'ResearchStepKind',
  description: 'What a step of a research session does.',
  valuesConfig: {
    plan: { description: 'It asks what has to be known to answer the question.' },
    query: { description: 'It searches the web, or knowledge bases.' },
    fetch: { description: 'It reads a source.' },
    claims: { description: 'It takes from a source what it says.' },
    section: { description: 'It writes a part of the report.' },
  },
});

/** A step that a session has done: a run that begins again does not do it once more. */
@ObjectType('ResearchStep', { simpleResolvers: true, description: 'A step that a session has done.' })
@Entity('research_steps')
export class ResearchStep {
  @PrimaryColumn({ type: 'text', name: 'session_id', primaryKeyConstraintName: 'research_steps_pkey' })
  sessionId!: string;

  @ManyToOne(() => ResearchSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'research_steps_session_id_fkey' })
  session?: Relation<ResearchSession>;

  @Field(() => ResearchStepKind, { description: 'What it does.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_steps_pkey' })
  kind!: ResearchStepKind;

  /** SHA-256 of what the step is given, in hexadecimal digits. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_steps_pkey' })
  hash!: string;

  @Field(() => Int, { description: 'From 1, in the order in which they were done.' })
  @Column({ type: 'integer' })
  position!: number;

  @Field(() => String, { description: 'Such as the query, or the title of a source.' })
  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'json' })
  result!: JsonObject;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;

  @Field(() => Date, { description: 'When it was done.' })
  get createdAt(): Date {
    return this.createdTime;
  }
}
