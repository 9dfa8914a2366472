import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { User } from '../users/user.entity.js';

/** The code that was mailed to somebody who has registered. */
@Entity('confirmation_codes')
export class ConfirmationCode {
  @PrimaryColumn({ type: 'text', name: 'user_id', primaryKeyConstraintName: 'confirmation_codes_pkey' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'confirmation_codes_user_id_fkey' })
  user?: Relation<User>;

  /** Keyed: there are so few codes that a plain hash would tell which it is. */
  @Column({ type: 'bytea', name: 'code_hash' })
  codeHash!: Buffer;

  @Column({ type: 'integer', name: 'tries_left' })
  triesLeft!: number;

  /** Keyed: from where the last registration of the address came. */
  @Column({ type: 'bytea', name: 'network_hash' })
  networkHash!: Buffer;

  /** Whether the address was registered from several networks: then nobody knows whose the password is. */
  @Column({ type: 'boolean', name: 'is_contested' })
  isContested!: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
