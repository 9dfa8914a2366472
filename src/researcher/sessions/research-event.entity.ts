import { registerEnumType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ResearchSession } from './research-session.entity.js';

/** What an event tells of. */
export const ResearchEventType = {
  status: 'status',
  query: 'query',
  source: 'source',
  claim: 'claim',
  section: 'section',
  done: 'done',
  error: 'error',
} as const;
/** One of them. */
export type ResearchEventType = keyof typeof ResearchEventType;

registerEnumType(ResearchEventType, {
  name: 'ResearchEventType',
  description: 'What an event of a research session tells of.',
  valuesConfig: {
    status: { description: 'The session is in another state, or further.' },
    query: { description: 'Something was searched.' },
    source: { description: 'A source was found, read, skipped, or could not be read.' },
    claim: { description: 'A source says something, and that is proven.' },
    section: { description: 'A part of the report is there.' },
    done: { description: 'The session is completed.' },
    error: { description: 'The session has failed.' },
  },
});

/** What has happened in a session, stored together with it. */
@Entity('research_events')
export class ResearchEvent {
  @PrimaryColumn({ type: 'text', name: 'session_id', primaryKeyConstraintName: 'research_events_pkey' })
  sessionId!: string;

  @ManyToOne(() => ResearchSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'research_events_session_id_fkey' })
  session?: Relation<ResearchSession>;

  /** From 1 for each session, without gaps. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'research_events_pkey' })
  id!: number;

  @Column({ type: 'text' })
  type!: ResearchEventType;

  @Column({ type: 'json' })
  data!: JsonObject;
}
