import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ResearchSession } from './research-session.entity.js';

/** What an event tells of. */
export type ResearchEventType = 'status' | 'query' | 'source' | 'claim' | 'section' | 'done' | 'error';

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
