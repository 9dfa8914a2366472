import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { Document } from '../files/document.entity.js';

/** What has become of a value. */
export const ValueStatus = {
  extracted: 'extracted',
  pending: 'pending',
  accepted: 'accepted',
  corrected: 'corrected',
  rejected: 'rejected',
} as const;
/** One of them. */
export type ValueStatus = keyof typeof ValueStatus;

registerEnumType(ValueStatus, {
  name: 'ReviewStatus',
  description: 'What has become of a value.',
  valuesConfig: {
    extracted: { description: 'It is sure enough: nobody is asked.' },
    pending: { description: 'It waits for a person.' },
    accepted: { description: 'A person has confirmed what was proposed.' },
    corrected: { description: 'A person has put another value in its place.' },
    rejected: { description: 'A person has said that there is none.' },
  },
});

/** How the text of a page was read. */
export type ValueOrigin = 'text' | 'ocr';

/** What has proposed a value; null: nothing has found one. */
export type ValueExtractor = 'rules' | 'model' | 'rules+model';

/**
 * A value of a document, with the words that prove it; where it is doubtful, an item of the review. What a person has said
 * stays when the document is read again: what is proposed then stands beside it.
 */
@ObjectType('ReviewItem', { simpleResolvers: true, description: 'A value that waits for a person, or had to.' })
@Entity('document_values')
@Index('document_values_path', ['documentId', 'field'], { unique: true })
@Index('document_values_status', ['sessionId', 'status', 'id'])
@Index('document_values_resolved_by', ['resolvedBy'], { where: 'resolved_by IS NOT NULL' })
@Index('document_values_claimed_by', ['claimedBy'], { where: 'claimed_by IS NOT NULL' })
export class DocumentValue {
  @Field(() => ID, { description: 'Begins with `ri_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'document_values_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `document_analyzer.review_item`.' })
  readonly object = 'document_analyzer.review_item';

  @Column({ type: 'text', name: 'session_id' })
  sessionId!: string;

  @Field(() => ID, { description: 'The document that it is of.' })
  @Column({ type: 'text', name: 'document_id' })
  documentId!: string;

  @ManyToOne(() => Document, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'document_id', foreignKeyConstraintName: 'document_values_document_id_fkey' })
  document?: Relation<Document>;

  @Field(() => String, { description: 'Its place, such as `line_items[3].amount`.' })
  @Column({ type: 'text', name: 'path' })
  field!: string;

  /** In the order of the schema. */
  @Column({ type: 'integer' })
  position!: number;

  /** The run of the document that has proposed it. */
  @Column({ type: 'integer' })
  run!: number;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'What was read; null: nothing was found, or nothing proves it.',
  })
  @Column({ type: 'jsonb', name: 'proposed_value', nullable: true })
  proposedValue!: unknown;

  @Field(() => Float, { description: 'How sure it is, from 0 to 1: of values at 0.9, nine in ten are right.' })
  @Column({ type: 'double precision' })
  confidence!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The words of the document that say it; null where there is no value.',
  })
  @Column({ type: 'text', nullable: true })
  quote!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The page of the quote, from 1; null where the format has no pages.',
  })
  @Column({ type: 'integer', nullable: true })
  page!: number | null;

  @Field(() => [Float], {
    nullable: true,
    description:
      'Left, top, right and bottom of the quote, 0–1 of the page from the top left; null where that is not known.',
  })
  @Column({ type: 'double precision', array: true, nullable: true })
  bbox!: number[] | null;

  @Field(() => String, { nullable: true, description: '`text`, or `ocr` where it was recognized on a picture.' })
  @Column({ type: 'text', nullable: true })
  origin!: ValueOrigin | null;

  @Field(() => String, { nullable: true, description: '`rules`, `model`, or `rules+model` where both say the same.' })
  @Column({ type: 'text', nullable: true })
  extractor!: ValueExtractor | null;

  @Field(() => String, { nullable: true, description: 'Why there is no value, or why it is doubtful.' })
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Field(() => ValueStatus, { description: 'What has become of it.' })
  @Column({ type: 'text' })
  status!: ValueStatus;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'What a person has said; null before that, and where it was rejected.',
  })
  @Column({ type: 'jsonb', nullable: true })
  value!: unknown;

  @Field(() => Int, { description: 'Rises with every change; a resolution names the one that it was made for.' })
  @Column({ type: 'integer' })
  version!: number;

  @Field(() => String, { nullable: true, description: 'What the person has added.' })
  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  @Field(() => ID, { nullable: true, description: 'Who has resolved it.' })
  @Column({ type: 'text', name: 'resolved_by', nullable: true })
  resolvedBy!: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'resolved_at', nullable: true })
  resolvedTime!: Date | null;

  @Field(() => ID, { nullable: true, description: 'Who has claimed it last.' })
  @Column({ type: 'text', name: 'claimed_by', nullable: true })
  claimedBy!: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'claimed_until', nullable: true })
  claimedUntilTime!: Date | null;

  @Field(() => SafeInt, { nullable: true, description: 'Unix seconds.' })
  get resolvedAt(): number | null {
    return toSeconds(this.resolvedTime);
  }

  @Field(() => SafeInt, { nullable: true, description: 'Unix seconds; until then nobody else may resolve it.' })
  get claimedUntil(): number | null {
    return toSeconds(this.claimedUntilTime);
  }
}

/** A page of review items. */
export const ReviewItemConnection = connectionType('ReviewItem', DocumentValue);

function toSeconds(time: Date | null): number | null {
  return time && Math.floor(time.getTime() / 1_000);
}
