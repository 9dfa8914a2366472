import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { User } from '../users/user.entity.js';

/** What lets its holder choose a password once: the link of a mail has it. */
@Entity('password_tokens')
@Index('password_tokens_user_id', ['userId'])
export class PasswordToken {
  /** SHA-256 of the token, base64url. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'password_tokens_pkey' })
  hash!: string;

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'password_tokens_user_id_fkey' })
  user?: Relation<User>;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
