import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ResearchSession } from './research-session.entity.js';

/** What a step does. */
export type ResearchStepKind = 'plan' | 'query' | 'fetch' | 'claims' | 'section';

/** A step that a session has done: a run that begins again does not do it once more. */
@Entity('research_steps')
export class ResearchStep {
  @PrimaryColumn({ type: 'text', name: 'session_id', primaryKeyConstraintName: 'research_steps_pkey' })
  sessionId!: string;

  @ManyToOne(() => ResearchSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'research_steps_session_id_fkey' })
  session?: Relation<ResearchSession>;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_steps_pkey' })
  kind!: ResearchStepKind;

  /** SHA-256 of what the step is given, in hexadecimal digits. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_steps_pkey' })
  hash!: string;

  /** From 1, in the order in which they were done. */
  @Column({ type: 'integer' })
  position!: number;

  /** What people are told of it. */
  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'json' })
  result!: JsonObject;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;
}
