import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { User } from '../users/user.entity.js';

/** What began with one sign-in: a family of refresh tokens and all access tokens that came with them. */
@Entity('sessions')
@Index('sessions_user_id', ['userId'])
export class Session {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sessions_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_id_fkey' })
  user?: Relation<User>;

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** The sign-in or the last refresh. */
  @Column({ type: 'timestamptz', precision: 3, name: 'last_used_at' })
  lastUsedAt!: Date;

  /** From where the sign-in, or the last refresh, came. */
  @Column({ type: 'text', nullable: true })
  ip!: string | null;

  /** What the client called itself then. */
  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent!: string | null;

  /** Set by logout and by the reuse of a refresh token. */
  @Column({ type: 'timestamptz', precision: 3, name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
