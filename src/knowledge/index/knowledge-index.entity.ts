import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { KnowledgeBase } from '../bases/knowledge-base.entity.js';

/** `building`: not searched yet. `active`: searched. `retired`: to be deleted. A base has at most one of the first two each. */
export type IndexState = 'building' | 'active' | 'retired';

/** The passages of a base with their vectors by one model. Another model makes another one, which takes its place when it is whole. */
@Entity('knowledge_indexes')
@Index('knowledge_indexes_state', ['baseId', 'state'], { unique: true, where: "state <> 'retired'" })
@Index('knowledge_indexes_base_id', ['baseId'])
export class KnowledgeIndex {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'knowledge_indexes_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'base_id' })
  baseId!: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'base_id', foreignKeyConstraintName: 'knowledge_indexes_base_id_fkey' })
  base?: Relation<KnowledgeBase>;

  @Column({ type: 'text' })
  model!: string;

  /** Of the model's vectors, whose table is there then; null until the first one is there. */
  @Column({ type: 'integer', nullable: true })
  dimensions!: number | null;

  /** Whether its vectors are found by an index of the database, which may miss some of the nearest. */
  @Column({ type: 'boolean', name: 'is_approximate' })
  isApproximate!: boolean;

  /** Whether it has passages that were written without vectors, since the database had no pgvector. */
  @Column({ type: 'boolean', name: 'lacks_vectors', default: false })
  lacksVectors!: boolean;

  @Column({ type: 'text' })
  state!: IndexState;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}
