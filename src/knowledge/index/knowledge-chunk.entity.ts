import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { KnowledgeFile } from '../files/knowledge-file.entity.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';

/** A passage of a file, as queries find and quote it. Its vector, if there are any, is in the table of its index (`vectorTableOf`). */
@Entity('knowledge_chunks')
@Index('knowledge_chunks_position', ['fileId', 'indexId', 'position'], { unique: true })
@Index('knowledge_chunks_index_id', ['indexId'])
export class KnowledgeChunk {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'knowledge_chunks_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'index_id' })
  indexId!: string;

  @ManyToOne(() => KnowledgeIndex, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'index_id', foreignKeyConstraintName: 'knowledge_chunks_index_id_fkey' })
  index?: Relation<KnowledgeIndex>;

  @Column({ type: 'text', name: 'file_id' })
  fileId!: string;

  @ManyToOne(() => KnowledgeFile, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'file_id', foreignKeyConstraintName: 'knowledge_chunks_file_id_fkey' })
  file?: Relation<KnowledgeFile>;

  /** From 0, in the order of the file. */
  @Column({ type: 'integer' })
  position!: number;

  /** From 1; null where the format has no pages. */
  @Column({ type: 'integer', nullable: true })
  page!: number | null;

  /** Where it stands in the text of its page, or of the file where that has no pages; in UTF-16 units. */
  @Column({ type: 'integer', name: 'start_at' })
  start!: number;

  @Column({ type: 'integer', name: 'end_at' })
  end!: number;

  /** The titles of the sections that it stands in, the highest first. */
  @Column({ type: 'text', array: true })
  headings!: string[];

  @Column({ type: 'text' })
  text!: string;

  /** SHA-256 of the headings and the text, in hexadecimal digits. */
  @Column({ type: 'text' })
  hash!: string;

  /** What keywords are looked for in: stems of its words, and the name of its index. */
  @Index('knowledge_chunks_words', { synchronize: false })
  @Column({ type: 'tsvector', select: false })
  words!: string;
}
