import { Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { ResearchSession } from './research-session.entity.js';

/** What became of a source. */
export const ResearchSourceStatus = { read: 'read', skipped: 'skipped', failed: 'failed' } as const;
/** One of them. */
export type ResearchSourceStatus = keyof typeof ResearchSourceStatus;

registerEnumType(ResearchSourceStatus, {
  name: 'ResearchSourceStatus',
  description: 'What became of a source.',
  valuesConfig: {
    read: { description: 'Its text is kept.' },
    skipped: { description: 'It is not wanted, or may not be read: `reason` says why.' },
    failed: { description: 'It could not be read: `reason` says why.' },
  },
});

/** A page, or a file of a knowledge base, that a session has found. */
@ObjectType('ResearchSource', { simpleResolvers: true, description: 'A page or a file that a session has found.' })
@Entity('research_sources')
export class ResearchSource {
  @PrimaryColumn({ type: 'text', name: 'session_id', primaryKeyConstraintName: 'research_sources_pkey' })
  sessionId!: string;

  @ManyToOne(() => ResearchSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'research_sources_session_id_fkey' })
  session?: Relation<ResearchSession>;

  /** The same for the same address in every session, so that a replay cites by the same ids. */
  @Field(() => ID, { description: 'Begins with `src_`; the same page has the same in each session.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'research_sources_pkey' })
  id!: string;

  /** From 0, in the order in which they were chosen. */
  @Column({ type: 'integer' })
  position!: number;

  @Field(() => String, { description: 'Where it was found.' })
  @Column({ type: 'text' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'Where it was in the end, behind redirects.' })
  @Column({ type: 'text', name: 'final_url', nullable: true })
  finalUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Of the page, or as its search provider tells it.' })
  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Field(() => Date, { nullable: true, description: 'As the page says it.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'published_at', nullable: true })
  publishedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was read.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'fetched_at', nullable: true })
  fetchedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Of its text that is kept (UTF-8), in hexadecimal digits.' })
  @Column({ type: 'text', nullable: true })
  sha256!: string | null;

  @Field(() => String, { nullable: true, description: 'BCP 47; null where it is not known.' })
  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Field(() => Float, { nullable: true, description: 'How credible it is, 0 to 1; null without a configuration.' })
  @Column({ type: 'double precision', nullable: true })
  credibility!: number | null;

  @Field(() => ResearchSourceStatus, { description: 'What became of it.' })
  @Column({ type: 'text' })
  status!: ResearchSourceStatus;

  @Field(() => String, { nullable: true, description: 'Why it was not read, as a word such as `robots`.' })
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Field(() => [String], { description: 'Other addresses with the same text: they are no further witnesses.' })
  @Column({ type: 'text', array: true })
  mirrors!: string[];

  /** The knowledge base and the file that it is; null: a page of the web. */
  @Column({ type: 'text', name: 'knowledgebase_id', nullable: true })
  knowledgebaseId!: string | null;

  @Column({ type: 'text', name: 'file_id', nullable: true })
  fileId!: string | null;

  /** Its text that is kept; null: there is none. */
  @Column({ type: 'text', name: 'blob_key', nullable: true })
  blobKey!: string | null;
}
