import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Session } from './session.entity.js';

/** A refresh token, exchanged for one successor. Used ones stay as long as their session, so that a second use is noticed. */
@Entity('refresh_tokens')
@Index('refresh_tokens_session_id', ['sessionId'])
export class RefreshToken {
  /** SHA-256 of the token, base64url. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'refresh_tokens_pkey' })
  hash!: string;

  @Column({ type: 'text', name: 'session_id' })
  sessionId!: string;

  @ManyToOne(() => Session, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'refresh_tokens_session_id_fkey' })
  session?: Relation<Session>;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
