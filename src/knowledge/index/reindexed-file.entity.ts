import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { KnowledgeFile } from '../files/knowledge-file.entity.js';
import { KnowledgeIndex } from './knowledge-index.entity.js';

/** A file whose passages are all in an index that is being built. */
@Entity('knowledge_reindexed_files')
@Index('knowledge_reindexed_files_file_id', ['fileId'])
export class ReindexedFile {
  @PrimaryColumn({ type: 'text', name: 'index_id', primaryKeyConstraintName: 'knowledge_reindexed_files_pkey' })
  indexId!: string;

  @ManyToOne(() => KnowledgeIndex, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'index_id', foreignKeyConstraintName: 'knowledge_reindexed_files_index_id_fkey' })
  index?: Relation<KnowledgeIndex>;

  @PrimaryColumn({ type: 'text', name: 'file_id', primaryKeyConstraintName: 'knowledge_reindexed_files_pkey' })
  fileId!: string;

  @ManyToOne(() => KnowledgeFile, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'file_id', foreignKeyConstraintName: 'knowledge_reindexed_files_file_id_fkey' })
  file?: Relation<KnowledgeFile>;
}
