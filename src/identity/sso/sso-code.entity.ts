import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { User } from '../users/user.entity.js';

/** A code that the browser of somebody who has just signed in exchanges for tokens, once. */
@Entity('sso_codes')
@Index('sso_codes_user_id', ['userId'])
@Index('sso_codes_expires_at', ['expiresAt'])
export class SsoCode {
  /** SHA-256 of the code, base64url. */
  @PrimaryColumn({ type: 'text', name: 'code_hash', primaryKeyConstraintName: 'sso_codes_pkey' })
  codeHash!: string;

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sso_codes_user_id_fkey' })
  user?: Relation<User>;

  /** That of the user when the code was made: whatever ends the user's sessions ends the code too. */
  @Column({ type: 'integer', name: 'user_version' })
  userVersion!: number;

  /** SHA-256 of the id in the browser's cookie, base64url. */
  @Column({ type: 'text', name: 'browser_hash' })
  browserHash!: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
